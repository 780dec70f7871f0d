// The tables of organizations: their people, invitations, and groups with dates.
import type { Generated } from 'kysely'

export interface OrganizationRow {
  id: string
  name: string
  introduction: Generated<string>
  logo: string | null
  contact_email: Generated<string | null>
  contact_links: Generated<string>
  share_statistics: Generated<number>
  join_code_enabled: Generated<number>
  join_code: Generated<string | null>
  requires_review: Generated<number>
  default_member_days: Generated<number | null>
  created_at: string
  updated_at: string
}
export interface MembershipRow {
  organization_id: string
  user_id: string
  role: 'admin' | 'member'
  starts_on: string
  expires_on: string | null
  /** The last day whose end was told to the member. */
  ended_told: Generated<string | null>
  created_at: string
  updated_at: string
}
/** An invitation by mail: its code is found by its SHA-256 and kept encrypted, so that the invited person can be shown it. */
export interface InviteRow {
  id: string
  organization_id: string
  email: string
  code_hash: string
  code_cipher: string
  role: 'admin' | 'member'
  group_ids: string
  expires_on: string | null
  valid_until: string
  status: 'pending' | 'accepted' | 'declined' | 'cancelled'
  sent_at: string
  send_count: number
  invited_by: string
  answered_at: string | null
  created_at: string
  updated_at: string
}
/** An address that lets several people in, or lets them ask. Its code is kept as an invitation's is. */
export interface InviteLinkRow {
  id: string
  organization_id: string
  code_hash: string
  code_cipher: string
  enabled: number
  group_ids: string
  expires_on: string | null
  valid_until: string | null
  max_uses: number | null
  /** Who came in by it; whoever's request is open is counted from the requests. */
  used_count: number
  requires_review: number
  created_by: string
  created_at: string
  updated_at: string
}
/** Somebody asks to join; what the link offered is written down with it. */
export interface JoinRequestRow {
  id: string
  organization_id: string
  user_id: string
  source: 'join_code' | 'link'
  link_id: string | null
  group_ids: string
  expires_on: string | null
  message: string
  /** Pending after `expires_at` is expired. */
  status: 'pending' | 'approved' | 'rejected' | 'cancelled'
  reason: string | null
  decided_by: string | null
  decided_at: string | null
  expires_at: string
  created_at: string
  updated_at: string
}
export interface StrategyGroupRow {
  id: string
  organization_id: string
  name: string
  name_key: string
  description: string
  created_at: string
  updated_at: string
}
export interface GroupMemberRow {
  group_id: string
  user_id: string
  starts_on: string
  ends_on: string | null
  created_at: string
  updated_at: string
}
export interface GroupStrategyRow {
  group_id: string
  strategy_id: string
  starts_on: string
  ends_on: string | null
  created_at: string
  updated_at: string
}
/** One change of who may see what; append-only. `gone` 1: it holds no more from `at` on. */
export interface AccessChangeRow {
  id: string
  organization_id: string
  at: string
  /**
   * A membership (user), a place in a group (user, group), a strategy given to a group (group, strategy), a strategy that there is;
   * `view` changes nothing: an admin looked at what a member sees.
   */
  fact: 'membership' | 'place' | 'gift' | 'strategy' | 'view'
  user_id: string | null
  group_id: string | null
  strategy_id: string | null
  role: 'admin' | 'member' | null
  starts_on: string | null
  ends_on: string | null
  gone: Generated<number>
  /** The person whose call made it, `system` where it came about by itself; null where it was not noted yet (before migration 032). */
  changed_by: Generated<string | null>
  /** The note of the same that held until this one; null where none did. */
  follows: Generated<string | null>
  /** Until when it held: when the next note of the same came; the one column that is written later, once. Null where it holds, or says that something is gone. */
  over_at: Generated<string | null>
}
/** What a group that was deleted was called: notes name it. */
export interface GoneGroupRow {
  id: string
  organization_id: string
  name: string
}

/** A row of access_changes that holds today. */
export interface AccessStandingRow {
  change_id: string
  organization_id: string
  user_id: string | null
}

/** The tables of this file. */
export interface OrganizationSchema {
  organizations: OrganizationRow
  memberships: MembershipRow
  invites: InviteRow
  invite_links: InviteLinkRow
  join_requests: JoinRequestRow
  strategy_groups: StrategyGroupRow
  group_members: GroupMemberRow
  group_strategies: GroupStrategyRow
  access_changes: AccessChangeRow
  access_standing: AccessStandingRow
  gone_groups: GoneGroupRow
}

// The tables of announcements (decision 089).

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

// Rows of signing in for others and by others (migration 004): the provider's things, identities elsewhere, one-time tickets.

/** What the OpenID provider keeps: ids only as SHA-256, the payload sealed, so that a stolen copy opens nothing. */
export interface OidcRow {
  model: string
  id_hash: string
  /** The grant under which it was issued; a Grant row carries its own id here. */
  grant_hash: string | null
  uid_hash: string | null
  account: string | null
  client_id: string | null
  payload: string
  created_at: string
  expires_at: string
  consumed_at: string | null
}
/** A person at another provider. `confirmed`: the provider had verified the address, or the account's password was given. */
export interface IdentityRow {
  provider: string
  subject: string
  uid: string
  confirmed: number
  created_at: string
  last_used_at: string
}
/** A one-time ticket; `sid` is the session its first use opened. */
export interface TicketRow {
  id_hash: string
  kind: 'sso' | 'link' | 'mail' | 'telegram'
  uid: string
  provider: string | null
  subject: string | null
  /** SHA-256 of the cookie of the browser it was made for; null = any browser. */
  binding_hash: string | null
  created_at: string
  expires_at: string
  used_at: string | null
  sid: string | null
  /** The chat that asked for it. */
  receiver_id: string | null
}
