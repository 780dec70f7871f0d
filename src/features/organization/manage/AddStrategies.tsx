/* Choosing strategies for a group, with the days they get in it. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { GroupStrategy, StrategyGroup } from '#contract/group.ts'
import { groupMutations } from '#data/group.ts'
import { organizationQueries } from '#data/organization.ts'
import { toast } from '#features/shell/toast.ts'
import { KIND_WORDS } from '#text/strategy.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { failureText } from '../parts/failure.ts'
import { ListState } from '../parts/ListState.tsx'
import { today } from '../parts/words.ts'
import { PeriodFields, periodErrors } from './PeriodFields.tsx'
import { PickRow, PickSheet } from './PickSheet.tsx'
import { useOrganization } from './use-place.ts'

/** `rows` the group's list as it stands; the call replaces it. */
export type AddStrategiesProps = {
  group: StrategyGroup
  rows: readonly GroupStrategy[]
  onClose: () => void
}

export function AddStrategies({ group, rows, onClose }: AddStrategiesProps) {
  const { id, ctx } = useOrganization()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [days, setDays] = useState({ starts_on: today(), ends_on: '' })
  const [errors, setErrors] = useState<Record<string, string>>({})
  const word = useDeferredValue(typed.trim())
  const list = useQuery(
    organizationQueries.strategies(ctx, id, { page_size: 100, ...(word && { search: word }) }),
  )
  const put = useMutation(groupMutations.setStrategies(ctx))
  function save() {
    const found = periodErrors(days)
    setErrors(found)
    if (Object.keys(found).length > 0 || chosen.length === 0) return
    const span = { starts_on: days.starts_on, ends_on: days.ends_on || null }
    put.mutate(
      {
        id: group.id,
        strategies: [
          ...rows.map(({ strategy_id, starts_on, ends_on }) => ({ strategy_id, starts_on, ends_on })),
          ...chosen.map((strategy_id) => ({ strategy_id, ...span })),
        ],
      },
      {
        onSuccess: () => {
          toast({ title: `已加入 ${chosen.length} 個策略`, icon: 'check' })
          onClose()
        },
      },
    )
  }
  return (
    <PickSheet
      title="加入策略"
      subtitle={group.name}
      label="搜尋策略"
      placeholder="策略名稱"
      typed={typed}
      onTyped={setTyped}
      chosen={chosen.length}
      verb={chosen.length > 0 ? `加入 ${chosen.length} 個` : '加入策略'}
      busy={put.isPending}
      failure={put.error && failureText(put.error, '沒有任何變更，')}
      onSave={save}
      onClose={onClose}
      list={
        <ListState query={list} title="讀不到組織的策略" card={false}>
          {({ items }) => {
            const others = items.filter((one) => !rows.some(({ strategy_id }) => strategy_id === one.id))
            if (others.length === 0)
              return (
                <EmptyState title={word ? '沒有符合的策略' : '沒有可以加入的策略'}>
                  {word
                    ? '換個字再找一次。'
                    : '組織的策略都在這個群組裡了，或還沒有策略。用上方的「新增策略」建立。'}
                </EmptyState>
              )
            return (
              <ul>
                {others.map((one) => (
                  <PickRow
                    key={one.id}
                    id={one.id}
                    name={one.name}
                    note={KIND_WORDS[one.kind]}
                    chosen={chosen}
                    onChange={setChosen}
                  />
                ))}
              </ul>
            )
          }}
        </ListState>
      }
    >
      <PeriodFields days={days} onChange={setDays} errors={errors} />
      <p className="t13 ink3">成員只看得到起日以後的訊號。要給過去的紀錄，把起日往前調。</p>
    </PickSheet>
  )
}
