// What an announcement is: by the platform or an organization, to everybody there or to groups (wire.md §9).
import * as z from 'zod/mini'
import { at, id } from './fields.ts'

/** 草稿 · 排程 · 已發布 · 已過期. The first two are for admins only. */
export const ANNOUNCEMENT_STATES = ['draft', 'scheduled', 'published', 'expired'] as const
export type AnnouncementState = (typeof ANNOUNCEMENT_STATES)[number]

/** Offered in the form; others may be typed (domain §7.9). */
export const ANNOUNCEMENT_TAGS = ['重要', '系統', '策略', '活動', '維護'] as const

/** Without its text: for the first page. */
export const announcement_head = z.object({
  id: id(),
  scope: z.enum(['platform', 'organization']),
  organization: z.nullable(z.object({ id: id(), name: z.string() })),
  title: z.string(),
  tags: z.array(z.string()),
  pinned: z.boolean(),
  publish_at: z.nullable(at()),
  read_at: z.nullable(at()),
})
export type AnnouncementHead = z.infer<typeof announcement_head>

export const announcement = z.object({
  ...announcement_head.shape,
  body: z.string(),
  state: z.enum(ANNOUNCEMENT_STATES),
  expire_at: z.nullable(at()),
  /** Empty = everybody in the organization. For admins; a member is told none. */
  group_ids: z.array(id()),
  notify: z.boolean(),
  author: z.nullable(z.object({ id: id(), name: z.string() })),
  created_at: at(),
  updated_at: at(),
})
export type Announcement = z.infer<typeof announcement>

/** As admins see it: how many could read it today, and how many of them did. */
export const managed_announcement = z.object({
  ...announcement.shape,
  reads_count: z.number(),
  audience_count: z.number(),
})
export type ManagedAnnouncement = z.infer<typeof managed_announcement>
