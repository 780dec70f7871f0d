/* The strategies of a group with their days. The call replaces the whole list, so every change sends all of it. */
import { useQuery } from '@tanstack/react-query'
import type { GroupStrategy, StrategyGroup } from '#contract/group.ts'
import { groupMutations, groupQueries } from '#data/nouns/group.ts'
import { useGo } from '#screen/go.ts'
import { TwoLines } from '../parts/TwoLines.tsx'
import { periodText } from '../parts/words.ts'
import { AddStrategies } from './AddStrategies.tsx'
import { SpanCard } from './SpanCard.tsx'
import { SpanRow } from './SpanRow.tsx'
import { SpanSheet } from './SpanSheet.tsx'
import { TakeOut } from './TakeOut.tsx'
import { useOrganization, usePlace } from './use-place.ts'

export function GroupStrategies({ group }: { group: StrategyGroup }) {
  const { ctx } = useOrganization()
  const { open } = useGo()
  const { go } = usePlace()
  const list = useQuery(groupQueries.strategies(ctx, group.id))
  const rows = list.data ?? []
  const put = groupMutations.setStrategies(ctx)
  /** The list as it stands, with `over` laid over this row; null leaves it out. */
  const replaced = (one: GroupStrategy, over: Partial<GroupStrategy> | null) => ({
    id: group.id,
    strategies: rows.flatMap((row) => {
      if (row.strategy_id !== one.strategy_id) return [spanIn(row)]
      return over === null ? [] : [spanIn({ ...row, ...over })]
    }),
  })
  return (
    <SpanCard
      noun="策略"
      count={list.data ? rows.filter((row) => !isOver(row)).length : group.strategy_count}
      over={isOver}
      query={list}
      rowsOf={(items) => items}
      empty="加入策略後，群組的成員才看得到它的訊號。"
      row={(row, acts) => (
        <SpanRow
          key={row.strategy_id}
          id={row.strategy_id}
          name={row.name}
          state={row.state}
          period={row}
          seen={{ label: '誰看得到', onOpen: () => go({ tab: 'access', strategy: row.strategy_id }) }}
          {...acts}
        >
          <TwoLines
            link={{
              href: `/strategies/${row.strategy_id}`,
              onOpen: () => open(`/strategies/${row.strategy_id}`),
            }}
          >
            <b className="el">{row.name}</b>
            <small className="num">{periodText(row)}</small>
          </TwoLines>
        </SpanRow>
      )}
      add={(onClose) => <AddStrategies group={group} given={rows.map(spanIn)} onClose={onClose} />}
      edit={(row, onClose) => (
        <SpanSheet
          name={row.name}
          ends="儲存後群組的成員立刻看不到這個策略與它的訊號。策略本身不受影響，隨時可以再改期間。"
          period={row}
          mutation={put}
          input={(span) => replaced(row, span)}
          onClose={onClose}
        />
      )}
      remove={(row, onClose) => (
        <TakeOut name={row.name} mutation={put} input={replaced(row, null)} onClose={onClose}>
          <p>群組的成員立刻看不到這個策略與它的訊號。策略本身不會刪除。</p>
        </TakeOut>
      )}
    />
  )
}

const isOver = ({ state }: GroupStrategy) => state === 'ended'

/** A row as the call takes it. */
function spanIn({ strategy_id, starts_on, ends_on }: GroupStrategy) {
  return { strategy_id, starts_on, ends_on }
}
