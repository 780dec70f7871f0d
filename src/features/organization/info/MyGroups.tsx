/* The groups I am in, each with my days in it. */
import { useQuery } from '@tanstack/react-query'
import type { StrategyGroup } from '#contract/group.ts'
import { groupQueries } from '#data/nouns/group.ts'
import { useProfile } from '#screen/profile.ts'
import { number } from '#text/format.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useOrganization } from '../manage/use-place.ts'
import { ListRow } from '../parts/ListRow.tsx'
import { ListState } from '../parts/ListState.tsx'
import { TwoLines } from '../parts/TwoLines.tsx'
import { periodStateWords, periodText, placePeriod } from '../parts/words.ts'

export function MyGroups({ is_admin }: { is_admin: boolean }) {
  const { ctx } = useOrganization()
  const list = useQuery(groupQueries.every(ctx))
  return (
    <Card title={is_admin ? '策略群組' : '我的群組'} {...(list.data && { count: list.data.total })}>
      <ListState query={list} title="讀不到群組" card={false}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={is_admin ? '還沒有策略群組' : '還沒有加入群組'}>
              {is_admin ? '在組織管理建立群組，成員才看得到策略。' : '請管理者把你加入群組，就看得到策略。'}
            </EmptyState>
          ) : (
            <ul>
              {items.map((group) => (
                <Row key={group.id} group={group} own={!is_admin} />
              ))}
            </ul>
          )
        }
      </ListState>
    </Card>
  )
}

/** `own` whoever looks is a member: its own days are what the line is about. */
function Row({ group, own }: { group: StrategyGroup; own: boolean }) {
  const { ctx } = useOrganization()
  const { profile } = useProfile()
  // a member is told only of itself; among others' rows an admin's own may stand on another page, or nowhere
  const rows = useQuery(groupQueries.members(ctx, group.id, { page_size: 100 }))
  const me = rows.data?.items.find(({ user_id }) => user_id === profile?.id)
  const wait = own && !me && (rows.error ? '讀不到你的期間' : rows.isPending ? '期間載入中' : null)
  const period = me && placePeriod(me)
  const state = me && period && periodStateWords(me.state, period)
  return (
    <ListRow>
      <TwoLines className="sp">
        <b className="el">{group.name}</b>
        <small className="num" key={me ? 'mine' : 'group'}>
          {wait || (period ? periodText(period) : `${number(group.strategy_count)} 個策略`)}
          {group.description && ` · ${group.description}`}
        </small>
      </TwoLines>
      {state && (
        <Tag tone={state.tone} icon={state.icon}>
          {state.text}
        </Tag>
      )}
    </ListRow>
  )
}
