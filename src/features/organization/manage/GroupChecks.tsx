/* Strategy groups chosen by ticks: those that somebody is put into, or whose members an announcement is for. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { groupQueries } from '#data/nouns/group.ts'
import { number } from '#text/format.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { SearchField } from '#ui/TextField.tsx'
import { Fields } from './Fields.tsx'
import css from './GroupChecks.module.css'
import { unreadGroups } from './unread-groups.ts'
import { useOrganization } from './use-place.ts'

/** More than these are looked for by a word. */
const SEEN_AT_ONCE = 12

/** What is said by what the groups are chosen for: above them, where there is none yet, and where they cannot be read. */
const WORDS = {
  joining: {
    legend: '加入的策略群組',
    none: '還沒有策略群組。成員加入後要放進群組，才看得到策略。',
    failed: '讀不到策略群組；之後再放進群組也可以。',
  },
  announcement: {
    legend: '策略群組',
    none: '還沒有策略群組。',
    failed: '讀不到策略群組；請稍後再試，或先存成草稿。',
  },
} as const

/** `chosen` ids of groups. */
export type GroupChecksProps = {
  what: keyof typeof WORDS
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

export function GroupChecks({ what, chosen, onChange }: GroupChecksProps) {
  const { ctx } = useOrganization()
  const { legend, none, failed } = WORDS[what]
  const groups = useQuery(groupQueries.every(ctx))
  const [typed, setTyped] = useState('')
  const items = groups.data?.items ?? []
  const unread = groups.data ? unreadGroups(groups.data) : ''
  const many = items.length > SEEN_AT_ONCE
  const word = many ? typed.trim().toLowerCase() : ''
  const shown = items.filter(({ name }) => name.toLowerCase().includes(word))
  // one that lies beyond what was read is not called gone
  const gone = groups.data && !unread ? chosen.filter((id) => items.every((group) => group.id !== id)) : []
  const tick = (id: string, on: boolean) =>
    onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id))
  return (
    <Fields legend={legend} close>
      {items.length > 0 || gone.length > 0 ? (
        <>
          {many && <SearchField label="搜尋群組" placeholder="群組名稱" value={typed} onChange={setTyped} />}
          <div className={css.checks}>
            {shown.map(({ id, name }) => (
              <Checkbox key={id} label={name} checked={chosen.includes(id)} onChange={(on) => tick(id, on)} />
            ))}
            {gone.map((id) => (
              <Checkbox key={id} label="已刪除的群組" checked onChange={(on) => tick(id, on)} />
            ))}
            {shown.length === 0 && gone.length === 0 && (
              <p className="t13 ink3">沒有符合的群組，換個字再找一次。</p>
            )}
          </div>
          {many && (
            <p className="t13 ink3 num">
              已選 {number(chosen.length)} 個{unread && `；${unread}`}
            </p>
          )}
        </>
      ) : (
        <p className="t13 ink3">{groups.data ? none : groups.error ? failed : '讀取中'}</p>
      )}
    </Fields>
  )
}
