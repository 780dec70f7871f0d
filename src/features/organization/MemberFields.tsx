/* First and last day of a period, with the usual lengths a press away. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Span } from '#contract/access.ts'
import { ROLE_NAMES, type Role } from '#contract/permissions.ts'
import { groupQueries } from '#data/nouns/organization.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { isDay } from '#ui/day.ts'
import { DateField } from '#ui/SearchSelect.tsx'
import { Segments } from '#ui/Segments.tsx'
import { SearchField } from '#ui/TextField.tsx'
import css from './OrganizationManagePage.module.css'
import { Fields } from './Parts.tsx'
import { useOrganization } from './TabList.tsx'
import { addMonths, today, unreadGroups } from './words.ts'

/** A period as the fields hold it: `YYYY-MM-DD`, '' for no last day. */
export interface Days {
  starts_on: string
  ends_on: string
}

/** `ends_now` is the last day that stands now: lengths count from it when it is not over. Without `starts_on` only the last day is asked. `usual` days from the first are given where no last day is said. */
export type PeriodFieldsProps = {
  days: Days
  onChange: (changes: Partial<Days>) => void
  errors?: Record<string, string>
  ends_now?: string | null
  only_end?: boolean
  usual?: number | null
}

const NO_DAY = '沒有這一天，請寫成 2026/12/31'
const LENGTHS = [
  { months: 1, label: '＋1 個月' },
  { months: 3, label: '＋3 個月' },
  { months: 12, label: '＋1 年' },
]

export function PeriodFields(props: PeriodFieldsProps) {
  const { days, onChange, errors = {}, ends_now = null, only_end, usual = null } = props
  const base = [today(), ends_now ?? '', only_end ? '' : days.starts_on].filter(isDay).sort().at(-1) as string
  const span = [only_end ? today() : days.starts_on, days.ends_on] as const
  return (
    <>
      <div className={css.PeriodFieldsDays}>
        {!only_end && (
          <DateField
            label="起日"
            span={span}
            name="starts_on"
            value={days.starts_on}
            error={errors['starts_on']}
            onChange={(starts_on) => onChange({ starts_on })}
          />
        )}
        <DateField
          label="到期日"
          span={span}
          name="ends_on"
          value={days.ends_on}
          error={errors['ends_on'] ?? errors['expires_on']}
          hint={
            days.ends_on === ''
              ? usual === null
                ? '沒有期限'
                : `留空就從加入那天起 ${number(usual)} 天（加入碼下面的「預設成員天數」）`
              : isDay(days.ends_on) && (days.ends_on < today() ? '這一天已經過去' : '當天結束前都有效')
          }
          onChange={(ends_on) => onChange({ ends_on })}
        />
      </div>
      <div className="row wrap gap8">
        {LENGTHS.map(({ months, label }) => (
          <Button
            key={months}
            size="s"
            kind="soft"
            onClick={() => onChange({ ends_on: addMonths(base, months) })}
          >
            {label}
          </Button>
        ))}
        <Button size="s" kind="soft" disabled={days.ends_on === ''} onClick={() => onChange({ ends_on: '' })}>
          {usual === null ? '無期限' : '留空'}
        </Button>
      </div>
    </>
  )
}

/** The days that were chosen, as a call takes them. */
export function spanOf({ starts_on, ends_on }: Days): Span {
  return { starts_on, ends_on: ends_on || null }
}

/** As `periodErrors`, for somebody or something that is only put in: days that are over would be for nothing. */
export function newPeriodErrors(days: Days): Record<string, string> {
  if (isDay(days.ends_on) && days.ends_on < today()) return { ends_on: '這一天已經過去，請選今天或之後' }
  return periodErrors(days)
}

/** What is wrong with a period before it is sent; empty when nothing is. */
export function periodErrors({ starts_on, ends_on }: Days): Record<string, string> {
  if (starts_on === '') return { starts_on: '請選擇起日' }
  for (const [name, day] of Object.entries({ starts_on, ends_on }))
    if (day !== '' && !isDay(day)) return { [name]: NO_DAY }
  if (ends_on !== '' && ends_on < starts_on) return { ends_on: '到期日要在起日當天或之後' }
  return {}
}

/* Strategy groups chosen by ticks: those that somebody is put into, or whose members an announcement is for. */

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
          <div className={css.GroupChecksChecks}>
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

/* 成員 or 管理者, and what each may do. */

export function RoleField({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  return (
    <Fields close>
      <b className="t13 ink2">角色</b>
      <Segments
        label="角色"
        value={role}
        onChange={onChange}
        wide
        tall
        options={[
          { value: 'member', label: ROLE_NAMES.member },
          { value: 'admin', label: ROLE_NAMES.admin },
        ]}
      />
      <p className="t13 ink3">
        {role === 'admin'
          ? '看得到全部策略，也能管理成員、群組與設定。'
          : '只看得到所屬群組裡的策略，不能修改任何東西。'}
      </p>
    </Fields>
  )
}
