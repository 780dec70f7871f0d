// Announcements: what the platform and organizations tell their people (operations.md, wire.md §9, rulings A2, A4).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { at, id, name_text, nothing, page_query, paged, seen, text } from './fields.ts'
import { ANNOUNCEMENT_BODY, ANNOUNCEMENT_TAGS_MOST } from './limits.ts'

// What an announcement is: by the platform or an organization, to everybody there or to groups (wire.md §9).

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
const managed_announcement = z.object({
  ...announcement.shape,
  reads_count: z.number(),
  audience_count: z.number(),
})
export type ManagedAnnouncement = z.infer<typeof managed_announcement>

/** `all`: the platform's and those of every organization of mine; `organization`: the header's (ruling A4). */
const ANNOUNCEMENT_SCOPES = ['all', 'platform', 'organization'] as const

const scope = z._default(z.enum(ANNOUNCEMENT_SCOPES), 'all')
/** Only of this one of my organizations; only with `scope=all`. */
const organization_id = z.optional(id())
/** Those of one organization; the platform's, and all of mine together, are the person's. */
const as_member = (input: Readonly<Record<string, unknown>>) =>
  input['scope'] === 'organization' || (input['scope'] === 'all' && input['organization_id'] !== undefined)
const tag = name_text(12, '標籤不能是空的')
const body = z.string('請輸入內容').check(
  z.refine((value) => value.trim() !== '', '請輸入內容'),
  z.maxLength(ANNOUNCEMENT_BODY, `最多 ${ANNOUNCEMENT_BODY.toLocaleString('en-US')} 個字`),
  seen(),
)
const title = name_text(100, '請輸入標題')
const tags = z.array(tag).check(
  z.maxLength(ANNOUNCEMENT_TAGS_MOST, `標籤最多 ${ANNOUNCEMENT_TAGS_MOST} 個`),
  z.refine((all: string[]) => new Set(all).size === all.length, '標籤不能重複'),
)
const group_ids = z.array(id()).check(z.maxLength(100, '最多 100 個群組'))

/** What is written; `publish_at` null = a draft, absent when it is new = now. */
export const announcement_draft = {
  title,
  body,
  tags: z._default(tags, []),
  pinned: z._default(z.boolean(), false),
  publish_at: z.optional(z.nullable(at())),
  expire_at: z._default(z.nullable(at()), null),
  group_ids: z._default(group_ids, []),
  notify: z._default(z.boolean(), true),
}

export const listAnnouncements = endpoint({
  name: 'announcement.list',
  method: 'GET',
  path: '/announcements',
  who: 'my-announcements:view',
  when_offline: 'fail',
  as_member,
  about: '已發布的公告，置頂在前，附我讀過沒有；scope=organization 是標頭的組織',
  input: z.object({
    scope,
    organization_id,
    tag: z.optional(text(0, 20)),
    search: z.optional(text(0, 60)),
    unread: z.optional(z.stringbool()),
    ...page_query,
  }),
  output: z.object({ ...paged(announcement).shape, unread_count: z.number() }),
})

export const getAnnouncement = endpoint({
  name: 'announcement.get',
  method: 'GET',
  path: '/announcements/:id',
  who: 'my-announcements:view',
  when_offline: 'fail',
  as_member,
  about: '一則已發布、我今天看得到的公告',
  input: z.object({ id: id(), scope, organization_id }),
  output: announcement,
})

export const listAnnouncementTags = endpoint({
  name: 'announcement.tags',
  method: 'GET',
  path: '/announcement-tags',
  who: 'login',
  when_offline: 'fail',
  as_member,
  about: '我看得到的公告的標籤與則數，多的在前',
  input: z.object({ scope, organization_id }),
  output: z.array(z.object({ tag: z.string(), count: z.number() })),
})

export const readAnnouncement = endpoint({
  name: 'announcement.read',
  method: 'PUT',
  path: '/announcements/:id/read',
  who: 'login',
  when_offline: 'queue',
  about: '把一則公告標為已讀',
  input: z.object({ id: id() }),
  output: nothing(),
})

export const listManagedAnnouncements = endpoint({
  name: 'announcement.managed',
  method: 'GET',
  path: '/organizations/:id/announcements',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '組織的所有公告，含草稿與排程，附已讀人數',
  input: z.object({ id: id(), state: z.optional(z.enum(ANNOUNCEMENT_STATES)), ...page_query }),
  output: paged(managed_announcement),
})

export const createAnnouncement = endpoint({
  name: 'announcement.create',
  method: 'POST',
  path: '/organizations/:id/announcements',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '新增公告；publish_at 不寫是現在，null 是草稿，以後的時間是排程',
  input: z.object({ id: id(), ...announcement_draft }),
  output: managed_announcement,
})

export const updateAnnouncement = endpoint({
  name: 'announcement.update',
  method: 'PUT',
  path: '/organizations/:id/announcements/:announcement_id',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '更新公告，沒有寫的不變；已經通知過的不會再通知',
  input: z.object({
    id: id(),
    announcement_id: id(),
    title: z.optional(title),
    body: z.optional(body),
    tags: z.optional(tags),
    pinned: z.optional(z.boolean()),
    publish_at: z.optional(z.nullable(at())),
    expire_at: z.optional(z.nullable(at())),
    group_ids: z.optional(group_ids),
    notify: z.optional(z.boolean()),
  }),
  output: managed_announcement,
})

export const deleteAnnouncement = endpoint({
  name: 'announcement.delete',
  method: 'DELETE',
  path: '/organizations/:id/announcements/:announcement_id',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '刪除公告；大家的裝置與通知裡也一起消失',
  input: z.object({ id: id(), announcement_id: id() }),
  output: nothing(),
})
