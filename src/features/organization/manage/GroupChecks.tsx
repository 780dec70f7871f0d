/* The strategy groups that somebody is put into when coming in. */
import { useQuery } from '@tanstack/react-query'
import { groupQueries } from '#data/nouns/group.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Fields } from './Fields.tsx'
import css from './GroupChecks.module.css'
import { useOrganization } from './use-place.ts'

export function GroupChecks({
  chosen,
  onChange,
}: {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) {
  const { ctx } = useOrganization()
  const groups = useQuery(groupQueries.list(ctx, { page_size: 100 }))
  return (
    <Fields legend="加入的策略群組" close>
      {groups.data && groups.data.items.length > 0 ? (
        <div className={css.checks}>
          {groups.data.items.map((group) => (
            <Checkbox
              key={group.id}
              label={group.name}
              checked={chosen.includes(group.id)}
              onChange={(on) =>
                onChange(on ? [...chosen, group.id] : chosen.filter((one) => one !== group.id))
              }
            />
          ))}
        </div>
      ) : (
        <p className="t13 ink3">
          {groups.data
            ? '還沒有策略群組。成員加入後要放進群組，才看得到策略。'
            : groups.error
              ? '讀不到策略群組；之後再放進群組也可以。'
              : '讀取中'}
        </p>
      )}
    </Fields>
  )
}
