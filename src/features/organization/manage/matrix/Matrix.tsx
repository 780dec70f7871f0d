/* 總表: everybody and every strategy against all groups, with their days; tables on wide screens, cards on phones. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { GroupMatrix } from '#contract/group.ts'
import { groupQueries } from '#data/nouns/group.ts'
import { useWide } from '#screen/browser.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Chips } from '#ui/Chips.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Segments } from '#ui/Segments.tsx'
import { SearchField } from '#ui/TextField.tsx'
import { ListState } from '../../parts/ListState.tsx'
import { Bar } from '../Bar.tsx'
import { useOrganization, usePlace, useWord } from '../use-place.ts'
import { MemberHead, StrategyHead } from './Heads.tsx'
import { found, memberLines, strategyLines } from './lines.ts'
import { MatrixCards } from './MatrixCards.tsx'
import { MatrixTable } from './MatrixTable.tsx'

const ROWS = [
  { value: 'members', label: '成員' },
  { value: 'strategies', label: '策略' },
] as const

/** `view` switches back to the list, `action` makes a group, `none` stands there while there is none. */
export type MatrixProps = { view: ReactNode; action: ReactNode; none: ReactNode }

export function Matrix({ view, action, none }: MatrixProps) {
  const { ctx } = useOrganization()
  const { search, change } = usePlace()
  const { box } = useWord()
  const wide = useWide()
  const query = useQuery(groupQueries.matrix(ctx))
  const rows = search.rows === 'strategies' ? 'strategies' : 'members'
  const expiring = search.status === 'expiring'
  if (query.data?.groups.length === 0) return none
  return (
    <>
      <Bar
        search={<SearchField label="搜尋總表" placeholder="成員、策略、群組" {...box} />}
        chips={
          <>
            {view}
            {!wide && (
              <Segments
                label="總表的列"
                value={rows}
                onChange={(value) => change({ rows: value === 'members' ? '' : value })}
                options={ROWS}
                tall
              />
            )}
            <Chips
              inline="phone"
              label="期間"
              chips={[{ value: 'expiring', label: '7 天內到期', on: expiring }]}
              onPick={(value) => change({ status: expiring ? '' : value })}
            />
          </>
        }
        action={action}
      />
      <ListState query={query} title="讀不到總表">
        {(matrix) => <Whole matrix={matrix} only={wide ? null : rows} />}
      </ListState>
    </>
  )
}

/** `only` one of the two kinds of lines, as cards; null both, as tables. */
function Whole({ matrix, only }: { matrix: GroupMatrix; only: (typeof ROWS)[number]['value'] | null }) {
  const { search } = usePlace()
  const { groups } = matrix
  const expiring = search.status === 'expiring'
  const word = search.search?.trim() ?? ''
  const lines = useMemo(() => ({ members: memberLines(matrix), strategies: strategyLines(matrix) }), [matrix])
  const members = useMemo(
    () => found(lines.members, groups, { word, expiring }),
    [lines, groups, word, expiring],
  )
  const strategies = useMemo(
    () => found(lines.strategies, groups, { word, expiring }),
    [lines, groups, word, expiring],
  )
  if (only === 'members')
    return members.length === 0 ? (
      <Nothing noun="成員" card />
    ) : (
      <MatrixCards
        label="成員與群組"
        groups={groups}
        lines={members}
        head={(line) => <MemberHead line={line} size={36} />}
      />
    )
  if (only === 'strategies')
    return strategies.length === 0 ? (
      <Nothing noun="策略" card />
    ) : (
      <MatrixCards
        label="策略與群組"
        groups={groups}
        lines={strategies}
        head={(line) => <StrategyHead line={line} />}
      />
    )
  if (members.length + strategies.length === 0) return <Nothing noun="成員或策略" card />
  return (
    <div className="stack">
      <Card title="成員" count={members.length} flush>
        {members.length === 0 ? (
          <Nothing noun="成員" />
        ) : (
          <MatrixTable
            label="成員與群組"
            noun="姓名"
            groups={groups}
            lines={members}
            head={(line) => <MemberHead line={line} size={32} />}
          />
        )}
      </Card>
      <Card title="策略" count={strategies.length} flush>
        {strategies.length === 0 ? (
          <Nothing noun="策略" />
        ) : (
          <MatrixTable
            label="策略與群組"
            noun="策略名稱"
            groups={groups}
            lines={strategies}
            head={(line) => <StrategyHead line={line} />}
          />
        )}
      </Card>
    </div>
  )
}

/** Nothing of what was asked for; without a question there is only a strategy that can be missing. */
function Nothing({ noun, card = false }: { noun: string; card?: boolean }) {
  const { search, change } = usePlace()
  if (!search.search && !search.status)
    return (
      <EmptyState card={card} title={`組織還沒有${noun}`}>
        以組織的身份建立的策略屬於組織，放進群組後成員就看得到。
      </EmptyState>
    )
  return (
    <EmptyState
      card={card}
      title={`沒有符合條件的${noun}`}
      action={
        <Button size="s" onClick={() => change({ search: '', status: '' })}>
          清除條件
        </Button>
      }
    >
      換個字，或清除條件再看一次。
    </EmptyState>
  )
}
