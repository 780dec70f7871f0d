/* The strategies I can see here, since when and until when. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { useGo } from '#screen/go.ts'
import { ymd } from '#text/format.ts'
import { strategyLine } from '#text/strategy.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Pager } from '#ui/Table.tsx'
import { useOrganization } from '../manage/use-place.ts'
import { ListRow } from '../parts/ListRow.tsx'
import { ListState } from '../parts/ListState.tsx'
import { RowLink } from '../parts/RowLink.tsx'
import { RowsFoot } from '../parts/RowsFoot.tsx'
import { TwoLines } from '../parts/TwoLines.tsx'

/** As many are asked for at a time. */
export const STRATEGIES_PER_PAGE = 20

/** 自 2026/06/01，到 2026/12/31; an admin sees all of it always. */
function seen({ access }: Strategy): string | null {
  if (!access) return null
  const until = access.valid_until === null ? '沒有期限' : `到 ${ymd(access.valid_until)}`
  return `看得到 ${ymd(access.visible_from)} 起的訊號，${until}`
}

export function MyStrategies({ is_admin }: { is_admin: boolean }) {
  const { ctx } = useOrganization()
  const { open } = useGo()
  const [page, setPage] = useState(1)
  const list = useQuery(strategyQueries.list(ctx, { page, page_size: STRATEGIES_PER_PAGE }))
  return (
    <Card title={is_admin ? '組織的策略' : '我看得到的策略'} {...(list.data && { count: list.data.total })}>
      <ListState query={list} title="讀不到策略" card={false}>
        {({ items, total }) =>
          items.length === 0 ? (
            <EmptyState title={is_admin ? '組織還沒有策略' : '目前沒有看得到的策略'}>
              {is_admin ? '用「新增策略」建立第一個。' : '管理者把你和策略放進同一個群組後，就會出現在這裡。'}
            </EmptyState>
          ) : (
            <>
              <ul>
                {items.map((strategy) => {
                  const href = `/strategies/${strategy.id}`
                  return (
                    <ListRow key={strategy.id}>
                      <RowLink href={href} onOpen={() => open(href)}>
                        <TwoLines className="sp">
                          <b className="el">{strategy.name}</b>
                          <small className="num">{seen(strategy) ?? strategyLine(strategy)}</small>
                        </TwoLines>
                      </RowLink>
                    </ListRow>
                  )
                })}
              </ul>
              <RowsFoot>
                <Pager
                  page={page}
                  pageSize={STRATEGIES_PER_PAGE}
                  total={total}
                  counter="個"
                  onPage={setPage}
                />
              </RowsFoot>
            </>
          )
        }
      </ListState>
    </Card>
  )
}
