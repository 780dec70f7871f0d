// The tables of announcements (decision 089).
import type { Generated } from 'kysely'

export interface AnnouncementRow {
  id: string
  /** null: the platform's. */
  organization_id: string | null
  title: string
  body: string
  /** What is searched: title and text in lower case. */
  search_key: string
  tags: string
  pinned: number
  /** null: a draft. */
  publish_at: string | null
  expire_at: string | null
  /** 1: only for the groups of announcement_groups, also when none of them is left. */
  for_groups: number
  notify: number
  created_by: string | null
  /** When the server published it; nobody but admins sees it before. */
  published_at: string | null
  /** Of the platform's: what people are still to be told. One that owes `deleted` is seen by nobody. */
  owes: 'published' | 'deleted' | null
  /** The last person who was told of it. */
  told_to: Generated<string>
  created_at: string
  updated_at: string
}
export interface AnnouncementGroupRow {
  announcement_id: string
  group_id: string
}
export interface AnnouncementReadRow {
  announcement_id: string
  uid: string
  read_at: string
}

export interface AnnouncementSchema {
  announcements: AnnouncementRow
  announcement_groups: AnnouncementGroupRow
  announcement_reads: AnnouncementReadRow
}
