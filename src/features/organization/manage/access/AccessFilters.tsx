/* The moment, the strategy and the person that are asked about; all of it stands in the address. */

import { useQuery } from '@tanstack/react-query'
import type { Named } from '#contract/access.ts'
import { membershipQueries, organizationQueries } from '#data/nouns/organization.ts'
import { DateField, SearchSelect } from '#ui/SearchSelect.tsx'
import { TextField } from '#ui/TextField.tsx'
import { usePeople } from '../../parts/people.ts'
import { today } from '../../parts/words.ts'
import { useOrganization, usePlace } from '../use-place.ts'
import css from './AccessFilters.module.css'
import type { Moment } from './moment.ts'

/** As many as one answer brings; the rest is reached from its own row. */
const MANY = 100

/** `user` and `strategy` as the answer names them: people who left are in no list any more. */
export type AccessFiltersProps = { error: Moment['error']; user: Named | null; strategy: Named | null }

export function AccessFilters({ error, user, strategy }: AccessFiltersProps) {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const { search, change } = usePlace()
  const members = useQuery(membershipQueries.list(ctx, id, { page_size: MANY })).data
  const strategies = useQuery(organizationQueries.strategies(ctx, id, { page_size: MANY })).data
  const people = (members?.items ?? []).map((one) => ({ id: one.user_id, name: one.name }))
  const more = (total = 0, where: string) => (total > MANY ? `其他的請從「${where}」那一頁打開` : undefined)
  return (
    <div className={css.root}>
      <DateField
        label="日期"
        value={search.on ?? today()}
        error={error?.on}
        onChange={(on) => change({ on: on === today() ? '' : on })}
      />
      <TextField
        label="時間"
        type="time"
        hint={search.time ? undefined : search.on ? '留空＝當天結束時' : '留空＝現在'}
        value={search.time ?? ''}
        error={error?.time}
        onChange={(time) => change({ time })}
      />
      <SearchSelect
        label="策略"
        value={search.strategy ?? ''}
        hint={more(strategies?.total, '組織策略')}
        onChange={(value) => change({ strategy: value })}
        options={[
          { value: '', label: '全部策略' },
          ...withChosen(strategies?.items ?? [], search.strategy, strategy, '已刪除的策略'),
        ]}
      />
      <SearchSelect
        label="成員"
        value={search.user ?? ''}
        hint={more(members?.total, '成員')}
        onChange={(value) => change({ user: value })}
        options={[
          { value: '', label: '全部成員' },
          ...withChosen(people, search.user, user, '不在組織裡的人', cover),
        ]}
      />
    </div>
  )
}

/** The choices, with the chosen one also where it is in no list any more. */
function withChosen(
  known: readonly { id: string; name: string }[],
  id: string | undefined,
  named: Named | null,
  nobody: string,
  cover = (name: string) => name,
): { value: string; label: string }[] {
  const options = known.map((one) => ({ value: one.id, label: cover(one.name) }))
  if (!id || known.some((one) => one.id === id)) return options
  const name = named?.id === id ? named.name : null
  return [{ value: id, label: name ? cover(name) : nobody }, ...options]
}
