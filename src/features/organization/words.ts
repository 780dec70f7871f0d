// Words of memberships, invitations and spans: what a role is called, where a period stands today.
import { type Span, within } from '#contract/access.ts'
import type { GroupMember, SPAN_STATES } from '#contract/group.ts'
import type { INVITE_STATES, JOIN_STATES, LINK_STATES } from '#contract/join.ts'
import type { MEMBER_STATES } from '#contract/organization.ts'
import { number } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { md, taipei, ymd } from '#text/time.ts'
import type { IconName } from '#ui/Icon.tsx'
import type { TagTone } from '#ui/Tag.tsx'

/** Short words of the roles, as tables name them. */
export { ROLE_NAMES as ROLE_WORDS } from '#contract/permissions.ts'

/** How a state is called and marked. */
type StateWord = { readonly text: string; readonly tone: TagTone; readonly icon: IconName }

/** Words of an invitation's state. */
export const INVITE_WORDS: Record<(typeof INVITE_STATES)[number], StateWord> = {
  pending: { text: '待接受', tone: 'info', icon: 'clock' },
  accepted: { text: '已接受', tone: 'good', icon: 'check' },
  declined: { text: '已婉拒', tone: 'neutral', icon: 'close' },
  expired: { text: '已過期', tone: 'warn', icon: 'clock' },
  cancelled: { text: '已撤回', tone: 'neutral', icon: 'minus' },
}

/** Words of a request to join. */
export const REQUEST_WORDS: Record<(typeof JOIN_STATES)[number], StateWord> = {
  pending: { text: '待審核', tone: 'info', icon: 'clock' },
  approved: { text: '已通過', tone: 'good', icon: 'check' },
  rejected: { text: '已拒絕', tone: 'neutral', icon: 'close' },
  cancelled: { text: '已取消', tone: 'neutral', icon: 'minus' },
  expired: { text: '已過期', tone: 'warn', icon: 'clock' },
}

/** Words of a link's state. */
export const LINK_WORDS: Record<(typeof LINK_STATES)[number], StateWord> = {
  open: { text: '使用中', tone: 'good', icon: 'check' },
  expired: { text: '已過期', tone: 'warn', icon: 'clock' },
  used_up: { text: '名額用完', tone: 'warn', icon: 'people' },
  disabled: { text: '已停用', tone: 'neutral', icon: 'minus' },
}

/** Today's day in Taipei, `YYYY-MM-DD`. */
export function today(): string {
  return taipei(serverNow()).day
}

/** Days from one day to another; negative when the other lies before. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)
}

/** The day `months` later; the last of the month where there is no such day. `day` as `YYYY-MM-DD`. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** How much of a period is over on a day: 0…1; null without an end. */
export function elapsed({ starts_on, ends_on }: Span, day: string): number | null {
  if (ends_on === null) return null
  const whole = daysBetween(starts_on, ends_on) + 1
  return Math.min(1, Math.max(0, (daysBetween(starts_on, day) + 1) / whole))
}

/** What a state says beside a period: 有效, 剩 5 天, 今天到期, 12/01 生效, 已到期. */
export function periodStateWords(
  state: (typeof MEMBER_STATES)[number] | (typeof SPAN_STATES)[number],
  { starts_on, ends_on }: Span,
  day = today(),
): { text: string; tone: TagTone; icon: IconName } {
  if (state === 'upcoming')
    return { text: `${md(`${starts_on}T00:00:00+08:00`)} 生效`, tone: 'neutral', icon: 'clock' }
  if (state === 'expired' || state === 'ended') return { text: '已到期', tone: 'neutral', icon: 'close' }
  if (state === 'active' || ends_on === null) return { text: '有效', tone: 'good', icon: 'check' }
  const left = Math.max(0, daysBetween(day, ends_on))
  return { text: left === 0 ? '今天到期' : `剩 ${left} 天`, tone: 'warn', icon: 'clock' }
}

/** A place in a group ends with the membership, whichever comes first: its state is of these days. */
export function placePeriod({
  starts_on,
  ends_on,
  member_expires_on,
}: Pick<GroupMember, 'starts_on' | 'ends_on' | 'member_expires_on'>): Span {
  return within({ starts_on, ends_on }, { starts_on, ends_on: member_expires_on })
}

/** What fits a cell: `無期限`, `→ 12/31`, `12/01 起`, `11/20 已到期`; the year where it is another one than the day's. */
export function shortPeriod(
  state: (typeof SPAN_STATES)[number],
  { starts_on, ends_on }: Span,
  day = today(),
): string {
  const short = (one: string) => (one.slice(0, 4) === day.slice(0, 4) ? ymd(one).slice(5) : ymd(one))
  if (state === 'upcoming') return `${short(starts_on)} 起`
  if (ends_on === null) return '無期限'
  return state === 'ended' ? `${short(ends_on)} 已到期` : `→ ${short(ends_on)}`
}

/** `2026/06/01 – 2026/12/31`; `2026/06/01 起` without an end. */
export function periodText({ starts_on, ends_on }: Span): string {
  return ends_on === null ? `${ymd(starts_on)} 起` : `${ymd(starts_on)} – ${ymd(ends_on)}`
}

// Addresses out of pasted text: mail programs and sheets separate them each in their own way.

/** The addresses in the text, each once (case does not matter), in order; `王小明 <a@b.tw>` gives `a@b.tw`. */
export function addressesIn(text: string): string[] {
  const found = new Map<string, string>()
  for (const line of text.split(/[\n,;，；、]+/)) {
    const named = /<([^<>\s]+)>/.exec(line)?.[1]
    for (const one of named ? [named] : line.split(/\s+/))
      if (one !== '' && !found.has(one.toLowerCase())) found.set(one.toLowerCase(), one)
  }
  return [...found.values()]
}

// Lists that read one page of the groups: what they say of those beyond it.

/** Empty when every group was read. */
export function unreadGroups({ items, total }: { items: readonly unknown[]; total: number }): string {
  return total > items.length ? `只看了 ${number(total)} 個群組的前 ${number(items.length)} 個` : ''
}
