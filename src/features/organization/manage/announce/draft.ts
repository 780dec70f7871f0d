// What the form of an announcement holds, and the call it becomes.
import type { ManagedAnnouncement } from '#contract/announcement.ts'
import { taipei } from '#text/time.ts'

/** 現在 · 排程 · 草稿; `as_is`: of one that is published already. */
export type PublishWhen = 'now' | 'later' | 'draft' | 'as_is'

export interface AnnouncementChoices {
  readonly tags: readonly string[]
  readonly pinned: boolean
  readonly notify: boolean
  readonly when: PublishWhen
  /** Wall clock of Taipei, `YYYY-MM-DDTHH:mm`; '' = none. */
  readonly publish_at: string
  readonly expire_at: string
  readonly for_groups: boolean
  readonly group_ids: readonly string[]
}

export function choicesOf(one: ManagedAnnouncement | null): AnnouncementChoices {
  return {
    tags: one?.tags ?? [],
    pinned: one?.pinned ?? false,
    notify: one?.notify ?? true,
    when: one === null ? 'now' : WHEN[one.state],
    publish_at: one?.state === 'scheduled' && one.publish_at ? wall(one.publish_at) : '',
    expire_at: one?.expire_at ? wall(one.expire_at) : '',
    for_groups: (one?.group_ids.length ?? 0) > 0,
    group_ids: one?.group_ids ?? [],
  }
}
const WHEN = { draft: 'draft', scheduled: 'later', published: 'as_is', expired: 'as_is' } as const

/** `YYYY-MM-DDTHH:mm` in Taipei. */
function wall(at: string | number): string {
  const { day, hour, minute } = taipei(at)
  return `${day}T${hour}:${minute}`
}

/** The instant of a wall clock in Taipei; null for none or no time. */
function instantOf(local: string): string | null {
  const ms = Date.parse(`${local}:00+08:00`)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** What is wrong before it is sent; empty when nothing is. */
export function faultsOf(choices: AnnouncementChoices, now: number): Record<string, string> {
  const { when, publish_at, expire_at, for_groups, group_ids } = choices
  const at = instantOf(publish_at)
  const faults: Record<string, string> = {}
  if (when === 'later' && (at === null || Date.parse(at) <= now)) faults['publish_at'] = '請選以後的時間'
  const end = instantOf(expire_at)
  // One that is out may be over: its other fields can still be put right.
  const from = when === 'as_is' ? 0 : when === 'later' && at ? Date.parse(at) : now
  if (expire_at !== '' && (end === null || Date.parse(end) <= from))
    faults['expire_at'] = '過期的時間要在發布之後'
  if (for_groups && group_ids.length === 0) faults['group_ids'] = '請選擇群組，或改成所有成員'
  return faults
}

/** The fields of the call; `publish_at` absent: now for a new one, as it was for another. */
export function fieldsOf(choices: AnnouncementChoices, known: ManagedAnnouncement | null, now: number) {
  const { when } = choices
  return {
    tags: [...choices.tags],
    pinned: choices.pinned,
    notify: choices.notify,
    expire_at: instantOf(choices.expire_at),
    group_ids: choices.for_groups ? [...choices.group_ids] : [],
    ...(when === 'draft' && { publish_at: null }),
    ...(when === 'later' && { publish_at: instantOf(choices.publish_at) }),
    ...(when === 'now' && known !== null && { publish_at: new Date(now).toISOString() }),
  }
}
