/* Choosing strategies for a group, with the days they get in it. */
import { useQuery } from '@tanstack/react-query'
import type { GroupStrategy, StrategyGroup } from '#contract/group.ts'
import { groupMutations } from '#data/nouns/group.ts'
import { organizationQueries } from '#data/nouns/organization.ts'
import { KINDS } from '#trading/kinds.ts'
import { PickSheet, usePickWord } from './PickSheet.tsx'
import { useOrganization } from './use-place.ts'

/** `given` the group's list as it stands; the call replaces it. */
export type AddStrategiesProps = {
  group: StrategyGroup
  given: readonly Pick<GroupStrategy, 'strategy_id' | 'starts_on' | 'ends_on'>[]
  onClose: () => void
}

export function AddStrategies({ group, given, onClose }: AddStrategiesProps) {
  const { id, ctx } = useOrganization()
  const search = usePickWord()
  const list = useQuery(organizationQueries.strategies(ctx, id, search.filters))
  return (
    <PickSheet
      group={group}
      noun="策略"
      counter="個"
      placeholder="策略名稱"
      search={search}
      query={list}
      failed="讀不到組織的策略"
      rowsOf={({ items }) =>
        items
          .filter((one) => !given.some(({ strategy_id }) => strategy_id === one.id))
          .map(({ id, name, kind }) => ({ id, name, note: KINDS[kind].name }))
      }
      all="組織的策略都在這個群組裡了。"
      none={{
        ...{ title: '組織還沒有策略', text: '以組織的身份建立，再放進群組。' },
        ...{ key: '建立策略', to: '/strategies/create' },
      }}
      mutation={groupMutations.setStrategies(ctx)}
      input={(ids, span) => ({
        id: group.id,
        strategies: [...given, ...ids.map((strategy_id) => ({ strategy_id, ...span }))],
      })}
      onClose={onClose}
    >
      <p className="t13 ink3">成員只看得到起日以後的訊號。要給過去的紀錄，把起日往前調。</p>
    </PickSheet>
  )
}
