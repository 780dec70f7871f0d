// The moment that the address names: a day, and a time of it.

import type { AccessChange, Named } from '#contract/access.ts'
import { ROLE_NAMES } from '#contract/permissions.ts'
import { taipei, ymd } from '#text/time.ts'
import { isDay } from '#ui/day.ts'
import type { IconName } from '#ui/Icon.tsx'
import { periodText } from './words.ts'

/** `at` absent is now. `error` says why the address names none, at its field. */
export type Moment = { at?: string; error?: { on?: string; time?: string } }

/** A day without a time means its end: everything of it has happened. Today means now. */
export function momentOf(on: string | undefined, time: string | undefined, now: number): Moment {
  if (!on && !time) return {}
  const today = taipei(now).day
  const day = on || today
  if (!isDay(day)) return { error: { on: '沒有這一天，請寫成 2026/12/31' } }
  if (day > today) return { error: { on: '這一天還沒有到，請選今天或更早' } }
  if (!time) return day === today ? {} : { at: new Date(`${day}T23:59:59.999+08:00`).toISOString() }
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return { error: { time: '時間請寫成 09:30' } }
  const at = new Date(`${day}T${time}:00.000+08:00`)
  if (at.getTime() > now) return { error: { time: '這個時刻還沒有到' } }
  return { at: at.toISOString() }
}

// What a change of access says in plain words, and the days that it gave.

/** `cover` is how privacy mode wants the names of people. */
export type Cover = (name: string) => string

/** What erased people, strategies and groups are called. */
export const whoWords = (one: Named | null, cover: Cover) => (one?.name ? cover(one.name) : '已刪除的使用者')
export const strategyWords = (one: Named | null) => (one?.name ? `「${one.name}」` : '已刪除的策略')
export const groupWords = (one: Named | null) => (one?.name ? `「${one.name}」` : '已刪除的群組')

export const CHANGE_ICONS: Record<AccessChange['kind'], IconName> = {
  granted: 'plus',
  changed: 'edit',
  ended: 'minus',
  viewed: 'eye',
}

/** Noted when the log began: it stood already, and nobody knows since when. */
export function isBeginning({ actor, at, kind }: AccessChange, since: string | null): boolean {
  return actor === null && kind === 'granted' && at === since
}

/** What a sentence is made of; `self` the person did it, `turned` the role is another one. */
interface SentenceParts {
  who: string
  role: string
  in_group: string
  given: string
  self: boolean
  turned: boolean
}

/** What changes who sees what; looking at it changes nothing. */
type Changing = Exclude<AccessChange['fact'], 'view'>

/** What stood already when the log began. */
const BEGAN = {
  membership: ({ who, role }) => `${who} 已經是${role}`,
  place: ({ who, in_group }) => `${who} 已經在${in_group}`,
  gift: ({ given, in_group }) => `${given}已經在${in_group}`,
  strategy: ({ given }) => `已經有${given}`,
} satisfies Record<Changing, (parts: SentenceParts) => string>

const CHANGED = {
  membership: {
    granted: ({ who, role }) => `${who} 加入組織，${role}`,
    ended: ({ who, self }) => (self ? `${who} 離開組織` : `${who} 移出組織`),
    changed: ({ who, role, turned }) => (turned ? `${who} 改為${role}` : `${who} 的成員期間改變`),
  },
  place: {
    granted: ({ who, in_group }) => `${who} 加入${in_group}`,
    ended: ({ who, in_group }) => `${who} 移出${in_group}`,
    changed: ({ who, in_group }) => `${who} 在${in_group}的期間改變`,
  },
  gift: {
    granted: ({ given, in_group }) => `${in_group}加入${given}`,
    ended: ({ given, in_group }) => `${in_group}移出${given}`,
    changed: ({ given, in_group }) => `${given}在${in_group}的期間改變`,
  },
  strategy: {
    granted: ({ given }) => `建立${given}`,
    ended: ({ given }) => `刪除${given}`,
    changed: ({ given }) => `建立${given}`,
  },
} satisfies Record<
  Changing,
  Record<Exclude<AccessChange['kind'], 'viewed'>, (parts: SentenceParts) => string>
>

/** One sentence: who or what, and what became of it. */
export function changeWords(change: AccessChange, cover: Cover, since: string | null): string {
  const { fact, kind, user, strategy, group, actor, before, after } = change
  const parts: SentenceParts = {
    who: whoWords(user, cover),
    role: ROLE_NAMES[after?.role ?? 'member'],
    in_group: `群組${groupWords(group)}`,
    given: `策略${strategyWords(strategy)}`,
    self: actor?.id === user?.id,
    turned: before?.role !== after?.role,
  }
  if (fact === 'view' || kind === 'viewed') return `以 ${parts.who} 的身分檢視`
  return (isBeginning(change, since) ? BEGAN[fact] : CHANGED[fact][kind])(parts)
}

/** The days that hold after it, those of before where they were others, and whether they are over at the moment asked for. */
export function daysWords({ before, after }: AccessChange, at: string): string | null {
  if (!after?.starts_on) return null
  const now = periodText({ starts_on: after.starts_on, ends_on: after.ends_on })
  const was =
    before?.starts_on && (before.starts_on !== after.starts_on || before.ends_on !== after.ends_on)
      ? `（原本 ${periodText({ starts_on: before.starts_on, ends_on: before.ends_on })}）`
      : ''
  const over = after.ends_on && after.ends_on < taipei(at).day ? `，${ymd(after.ends_on)} 已到期` : ''
  return `${now}${was}${over}`
}

/** Whose call it was. */
export function actorWords({ actor }: AccessChange, cover: Cover): string {
  if (actor === null) return '沒有記下是誰'
  return actor.id === 'system' ? '自動' : whoWords(actor, cover)
}
