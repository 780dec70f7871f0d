/* Choosing members for a group, with the days they get in it. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { StrategyGroup } from '#contract/group.ts'
import { groupMutations } from '#data/group.ts'
import { membershipQueries } from '#data/membership.ts'
import { toast } from '#features/shell/toast.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { failureText } from '../parts/failure.ts'
import { ListState } from '../parts/ListState.tsx'
import { usePeople } from '../parts/people.ts'
import { today } from '../parts/words.ts'
import { PeriodFields, periodErrors } from './PeriodFields.tsx'
import { PickRow, PickSheet } from './PickSheet.tsx'
import { useOrganization } from './use-place.ts'

export function AddMembers({ group, onClose }: { group: StrategyGroup; onClose: () => void }) {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [days, setDays] = useState({ starts_on: today(), ends_on: '' })
  const [errors, setErrors] = useState<Record<string, string>>({})
  const word = useDeferredValue(typed.trim())
  const list = useQuery(
    membershipQueries.list(ctx, id, { page_size: 100, role: 'member', ...(word && { search: word }) }),
  )
  const add = useMutation(groupMutations.addMembers(ctx))
  function save() {
    const found = periodErrors(days)
    setErrors(found)
    if (Object.keys(found).length > 0 || chosen.length === 0) return
    add.mutate(
      {
        id: group.id,
        user_ids: [...chosen],
        starts_on: days.starts_on,
        ends_on: days.ends_on || null,
      },
      {
        onSuccess: () => {
          toast({ title: `已加入 ${chosen.length} 位成員`, icon: 'check' })
          onClose()
        },
      },
    )
  }
  return (
    <PickSheet
      title="加入成員"
      subtitle={group.name}
      label="搜尋成員"
      placeholder="姓名、電子郵件"
      typed={typed}
      onTyped={setTyped}
      chosen={chosen.length}
      verb={chosen.length > 0 ? `加入 ${chosen.length} 位` : '加入成員'}
      busy={add.isPending}
      failure={add.error && failureText(add.error, '沒有任何變更，')}
      onSave={save}
      onClose={onClose}
      list={
        <ListState query={list} title="讀不到成員" card={false}>
          {({ items }) => {
            const others = items.filter(({ groups }) => !groups.some((one) => one.id === group.id))
            if (others.length === 0)
              return (
                <EmptyState title={word ? '沒有符合的成員' : '沒有可以加入的成員'}>
                  {word ? '換個字再找一次。' : '成員都在這個群組裡了。管理者看得到全部策略，不用加入群組。'}
                </EmptyState>
              )
            return (
              <ul>
                {others.map((member) => (
                  <PickRow
                    key={member.user_id}
                    id={member.user_id}
                    name={cover(member.name)}
                    note={cover(member.email)}
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
    </PickSheet>
  )
}
