// Where announcements come from: the platform, which speaks to everybody, and each organization of mine, asked and kept apart.
import type { Announcement } from '#contract/announcement.ts'
import { ctxOf } from '#data/context.ts'
import { type AnnouncementFilters, announcementQueries, platformQueries } from '#data/nouns/announcement.ts'

/** null: the platform. */
export type AnnouncementSource = string | null

export const listOf = (source: AnnouncementSource, filters: AnnouncementFilters) =>
  source === null ? platformQueries.list(filters) : announcementQueries.list(ctxOf(source), filters)
export const oneOf = (source: AnnouncementSource, id: string) =>
  source === null ? platformQueries.one(id) : announcementQueries.one(ctxOf(source), id)

/** What a list is narrowed to. */
export interface Narrowed {
  readonly tag: string
  readonly search: string
  readonly unread: boolean
}

/** The same on the device, for when the server cannot be asked. */
export function fits(
  { title, body, tags, read_at }: Announcement,
  { tag, search, unread }: Narrowed,
): boolean {
  const word = search.trim().normalize('NFC').toLowerCase()
  return (
    (tag === '' || tags.includes(tag)) &&
    (word === '' || `${title}\n${body}`.normalize('NFC').toLowerCase().includes(word)) &&
    !(unread && read_at !== null)
  )
}

/** Pinned ones first, then the newest; each once. What is over is not shown, whatever is kept. */
export function inOrder(all: readonly Announcement[], now: number): Announcement[] {
  const at = (one: Announcement) => one.publish_at ?? ''
  return [...new Map(all.map((one) => [one.id, one])).values()]
    .filter(({ expire_at }) => expire_at === null || Date.parse(expire_at) > now)
    .sort(
      (a, b) =>
        Number(b.pinned) - Number(a.pinned) ||
        (at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : a.id < b.id ? 1 : -1),
    )
}

/** Of lists that go on: what is older than the first of their ends may stand between things that are not here yet. */
export function upTo(items: readonly Announcement[], ends: readonly string[]): readonly Announcement[] {
  const end = [...ends].sort().at(-1)
  return end === undefined
    ? items
    : items.filter(({ pinned, publish_at }) => pinned || (publish_at ?? '') >= end)
}
