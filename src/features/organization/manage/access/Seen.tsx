/* Who could see what: people with the strategies they saw, each with what led there and its days. */
import type { SeenStrategy } from '#contract/access.ts'
import { ymd } from '#text/time.ts'
import { ListRow } from '../../parts/ListRow.tsx'
import { usePeople } from '../../parts/people.ts'
import { TwoLines } from '../../parts/TwoLines.tsx'
import { SectionTitle } from '../SectionTitle.tsx'
import { type Cover, groupWords, strategyWords, whoWords } from './change-words.ts'
import css from './Seen.module.css'

/** `by` what every row names: the person where a strategy was asked for, else the strategy. `titled` puts the rows under their people. */
export type SeenProps = { rows: readonly SeenStrategy[]; by: 'user' | 'strategy'; titled: boolean }

export function Seen({ rows, by, titled }: SeenProps) {
  const { cover } = usePeople()
  const sorted = inOrder(rows, cover)
  if (!titled)
    return (
      <ul>
        {sorted.map((row) => (
          <Row key={`${row.user.id} ${row.strategy.id}`} row={row} by={by} cover={cover} />
        ))}
      </ul>
    )
  return [...Map.groupBy(sorted, ({ user }) => user.id)].map(([id, own]) => (
    <section key={id}>
      <SectionTitle as="h3">{whoWords(own[0]?.user ?? null, cover)}</SectionTitle>
      <ul>
        {own[0]?.role === 'admin' ? (
          <Line name="全部策略" note="管理者" row={own[0]} />
        ) : (
          own.map((row) => <Row key={row.strategy.id} row={row} by={by} cover={cover} />)
        )}
      </ul>
    </section>
  ))
}

/** Admins first, then by name; the strategies of each by name. */
function inOrder(rows: readonly SeenStrategy[], cover: Cover): SeenStrategy[] {
  const key = ({ role, user, strategy }: SeenStrategy) =>
    [role, whoWords(user, cover), user.id, strategyWords(strategy)].join(' ')
  return [...rows].sort((a, b) => key(a).localeCompare(key(b), 'zh-Hant'))
}

/** What led there. */
const WHY = {
  admin: () => '管理者，看得到全部策略',
  member: ({ via_groups }) => `經由群組${via_groups.map(groupWords).join('、')}`,
} satisfies Record<SeenStrategy['role'], (row: SeenStrategy) => string>

function Row({ row, by, cover }: { row: SeenStrategy; by: SeenProps['by']; cover: Cover }) {
  const { user, strategy, role } = row
  const name = by === 'user' ? whoWords(user, cover) : (strategy.name ?? '已刪除的策略')
  return <Line name={name} note={WHY[role](row)} row={row} />
}

function Line({ name, note, row }: { name: string; note: string; row: SeenStrategy }) {
  const { visible_from, valid_until } = row
  return (
    <ListRow wraps>
      <TwoLines className="sp">
        <b className="el" title={name}>
          {name}
        </b>
        <small>{note}</small>
      </TwoLines>
      <span className={`${css.days} num t13 ink2`}>
        {visible_from === null ? '全部紀錄' : `${ymd(visible_from)} 起的紀錄`}
        <span className="ink3">{valid_until === null ? '沒有期限' : `到 ${ymd(valid_until)}`}</span>
      </span>
    </ListRow>
  )
}
