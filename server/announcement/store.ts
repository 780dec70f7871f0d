// Announcements written: drafted, scheduled, published, changed, deleted, read. Their organization is locked by the caller.

import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Selectable, sql } from 'kysely'
import * as z from 'zod/mini'
import {
  type Announcement,
  type AnnouncementHead,
  type AnnouncementState,
  announcement_draft,
  type createAnnouncement,
  type ManagedAnnouncement,
  type updateAnnouncement,
} from '#contract/announcement.ts'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import type { EventData } from '#contract/events.ts'
import { fieldMessagesOf } from '#contract/field-messages.ts'
import { id } from '#contract/fields.ts'
import { ANNOUNCEMENTS_PER_ORGANIZATION, ANNOUNCEMENTS_PINNED } from '#contract/limits.ts'
import { countReaders, type Now } from '../access/announcements.ts'
import { requireGroups } from '../access/members.ts'
import { holdOrganization, rowOf } from '../access/organization.ts'
import type { Authorized } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import { nameKey } from '../db/query.ts'
import type { AnnouncementRow, Db } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import { newId } from '../ids.ts'
import { enqueue } from '../jobs/table.ts'
import { makeFolder } from '../make-folder.ts'
import { roomForAnnouncement } from '../usage/quotas.ts'

// What an organization's announcement may be, and who may change it.

/** An announcement of the header's organization that the caller may change; the organization is locked until the transaction ends. */
export async function holdAnnouncement(
  app: Pick<App, 'engine'>,
  tx: Tx,
  actor: Actor,
  { id, announcement_id }: { readonly id: string; readonly announcement_id: string },
): Promise<Authorized<StoredAnnouncement>> {
  await holdOrganization(app, tx, actor, id, 'organization:manage')
  return (await rowOf(tx.db, 'announcements', id, announcement_id)) as Authorized<StoredAnnouncement>
}

/** 4220 when the organization keeps as many as there may be. */
export async function requireRoom(tx: Tx, organization_id: string): Promise<void> {
  const { count } = await tx.db
    .selectFrom('announcements')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= ANNOUNCEMENTS_PER_ORGANIZATION)
    throw new ApiError(4220, {
      text: `一個組織最多 ${ANNOUNCEMENTS_PER_ORGANIZATION} 則公告，已經滿了；請先刪除用不到的`,
    })
}

/** 4220 at the field that does not fit what the whole would then be. */
async function requireFit(
  tx: Tx,
  { id, organization_id, pinned, publish_at, expire_at }: StoredAnnouncement,
  group_ids: readonly string[],
): Promise<void> {
  if (expire_at !== null && expire_at <= (publish_at ?? tx.at))
    throw invalid({ expire_at: '過期的時間要在發布之後' })
  if (pinned === 1) {
    const { count } = await tx.db
      .selectFrom('announcements')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('organization_id', '=', organization_id)
      .where('pinned', '=', 1)
      .where('id', '<>', id)
      .where((eb) => eb.or([eb('expire_at', 'is', null), eb('expire_at', '>', tx.at)]))
      .executeTakeFirstOrThrow()
    if (Number(count) >= ANNOUNCEMENTS_PINNED)
      throw invalid({ pinned: `最多置頂 ${ANNOUNCEMENTS_PINNED} 則，請先取消其他的` })
  }
  await requireGroups(tx, organization_id ?? '', group_ids)
}

// What the operator says on behalf of the platform (ruling A7): a command leaves a file in DATA_DIR/announcements, and the running
// server takes it in. Nobody but the server writes to its database.

const { group_ids: _none, ...said } = announcement_draft
const command = z.union([
  z.object({ kind: z.literal('publish'), id: id(), ...said }),
  z.object({ kind: z.literal('delete'), id: id() }),
])
export type Command = z.output<typeof command>

const FOLDER = 'announcements'
const END = '.json'
/** What could not be taken in keeps lying there under this name. */
const REFUSED = '.refused'

type Parts = Pick<App, 'db' | 'now' | 'events' | 'log'> & { readonly config: Pick<App['config'], 'data_dir'> }

/** What is wrong with a command, by field; empty when nothing is. */
export function faultsOf(asked: z.input<typeof command>): Record<string, string> {
  return fieldMessagesOf(
    (asked.kind === 'delete' ? command.def.options[1] : command.def.options[0])?.safeParse(asked).error,
  )
}

/** Leaves the command for the server; gives the path that goes when it was taken. */
export function leaveCommand(data_dir: string, asked: z.input<typeof command>): string {
  const folder = join(data_dir, FOLDER)
  makeFolder(folder)
  const path = join(folder, `${asked.id}-${asked.kind}${END}`)
  // Whole or not at all: the server may look at any moment.
  writeFileSync(`${path}.new`, JSON.stringify(asked), { mode: 0o600 })
  renameSync(`${path}.new`, path)
  return path
}

/** Takes in what was left; gives how many. */
export async function takeCommands(app: Parts): Promise<number> {
  const folder = join(app.config.data_dir, FOLDER)
  let taken = 0
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    const asked = read(path)
    if (asked === 'gone') continue
    if (asked === null) {
      app.log.error({ path }, 'announcements: a command that is none, or that cannot be read')
      renameSync(path, path + REFUSED)
      continue
    }
    await inTransaction(app, async (tx) => {
      if (asked.kind === 'publish') await keep(tx, asked)
      else await takeBack(tx, asked.id)
      await publishFrom(tx, asked.kind === 'publish' ? asked.publish_at : null)
    })
    // Taken twice it is the same row.
    rmSync(path, { force: true })
    taken++
  }
  return taken
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(END))
      .sort()
  } catch (error) {
    // Nobody has left anything yet.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** null for what is none, or is another account's; `gone` when another process took it meanwhile. */
function read(path: string): Command | 'gone' | null {
  try {
    return command.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : null
  }
}

async function keep(tx: Tx, asked: Extract<Command, { kind: 'publish' }>): Promise<void> {
  const { title, body, publish_at = tx.at } = asked
  await tx.db
    .insertInto('announcements')
    .values({
      ...{ id: asked.id, organization_id: null, title, body, search_key: searchKey(asked) },
      ...{ tags: JSON.stringify(asked.tags), pinned: Number(asked.pinned), notify: Number(asked.notify) },
      ...{ publish_at, expire_at: asked.expire_at, for_groups: 0, created_by: null },
      ...{ published_at: null, owes: null, created_at: tx.at, updated_at: tx.at },
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Seen by nobody from now on; it goes when everybody was told. */
async function takeBack(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('announcements')
    .set({ owes: 'deleted', told_to: '' })
    .where('id', '=', id)
    .where('organization_id', 'is', null)
    .execute()
}

/** It is published when its time comes (publish.ts); people are told at once of what goes. */
async function publishFrom(tx: Tx, due_at: string | null | undefined): Promise<void> {
  await enqueue(tx.db, { kind: 'publish', key: '', owner: 'server', data: null, due_at: due_at ?? '' })
}

type Draft = Omit<ParsedInputOf<typeof createAnnouncement>, 'id'>
type Changes = Omit<ParsedInputOf<typeof updateAnnouncement>, 'id' | 'announcement_id'>
type Change = EventData['announcement']['change']

/** Stores an announcement; what is due now is published with it. */
export async function insertAnnouncement(
  tx: Tx,
  organization_id: string,
  uid: string,
  { group_ids, publish_at = tx.at, ...draft }: Draft,
): Promise<StoredAnnouncement> {
  await requireRoom(tx, organization_id)
  await roomForAnnouncement(tx.db, organization_id, draft.title.length + draft.body.length)
  const row: StoredAnnouncement = {
    ...{ id: newId(), organization_id, created_by: uid, owes: null, told_to: '' },
    ...{ title: draft.title, body: draft.body, search_key: searchKey(draft) },
    ...{ tags: JSON.stringify(draft.tags), pinned: Number(draft.pinned), notify: Number(draft.notify) },
    ...{ for_groups: Number(group_ids.length > 0), expire_at: draft.expire_at },
    ...timesAt(tx, publish_at),
    ...{ created_at: tx.at, updated_at: tx.at },
  }
  await requireFit(tx, row, group_ids)
  await tx.db.insertInto('announcements').values(row).execute()
  await setGroups(tx, row.id, group_ids)
  // Whoever wrote it knows it.
  await markRead(tx, row.id, uid)
  await tell(tx, row, row.published_at === null ? 'drafted' : 'published', group_ids)
  if (isScheduled(row)) await publishFrom(tx, row.publish_at)
  return row
}

/** Lays changes over an announcement. Published once more it is shown again, but nobody is told twice. */
export async function updateAnnouncementRow(
  tx: Tx,
  row: Authorized<StoredAnnouncement>,
  { group_ids, publish_at, ...changes }: Changes,
): Promise<StoredAnnouncement> {
  const { title = row.title, body = row.body, expire_at = row.expire_at } = changes
  const next: StoredAnnouncement = {
    ...row,
    ...{ title, body, expire_at, search_key: searchKey({ title, body }), updated_at: tx.at },
    tags: changes.tags ? JSON.stringify(changes.tags) : row.tags,
    pinned: Number(changes.pinned ?? row.pinned),
    notify: Number(changes.notify ?? row.notify),
    for_groups: group_ids ? Number(group_ids.length > 0) : row.for_groups,
    ...(publish_at !== undefined && publish_at !== row.publish_at && timesAt(tx, publish_at)),
  }
  await requireFit(tx, next, group_ids ?? [])
  if (row.organization_id !== null)
    await roomForAnnouncement(
      tx.db,
      row.organization_id,
      title.length + body.length - row.title.length - row.body.length,
    )
  const { id, ...columns } = next
  await tx.db.updateTable('announcements').set(columns).where('id', '=', id).execute()
  const before = await groupsOf(tx, id)
  if (group_ids) await setGroups(tx, id, group_ids)
  const [was, is] = [row.published_at !== null, next.published_at !== null]
  const change = is ? (was ? 'updated' : 'published') : was ? 'deleted' : 'drafted'
  // whoever could read it before, or can now
  const all = (was && !row.for_groups) || !next.for_groups
  await tell(tx, next, change, all ? [] : [...new Set([...before, ...(group_ids ?? [])])])
  if (isScheduled(next)) await publishFrom(tx, next.publish_at)
  return next
}

/** Takes an announcement away, and what was told of it out of everybody's inbox. */
export async function deleteAnnouncementRow(tx: Tx, row: StoredAnnouncement): Promise<void> {
  const groups = await groupsOf(tx, row.id)
  await tx.db.deleteFrom('notifications').where('announcement_id', '=', row.id).execute()
  await tx.db.deleteFrom('announcements').where('id', '=', row.id).execute()
  if (row.organization_id !== null)
    await tell(tx, row, row.published_at === null ? 'drafted' : 'deleted', groups)
}

/** True when the person had not read it before. */
export async function markRead(tx: Tx, announcement_id: string, uid: string): Promise<boolean> {
  const made = await tx.db
    .insertInto('announcement_reads')
    .values({ announcement_id, uid, read_at: tx.at })
    .onConflict((conflict) => conflict.columns(['announcement_id', 'uid']).doNothing())
    .returning('uid')
    .executeTakeFirst()
  return made !== undefined
}

/** Title and text as they are searched. */
export const searchKey = ({ title, body }: { readonly title: string; readonly body: string }): string =>
  nameKey(`${title}\n${body}`)

const isScheduled = ({ publish_at, published_at }: StoredAnnouncement) =>
  publish_at !== null && published_at === null

/** When it is to be published, and that it is by now. What would lie in the past is now. */
function timesAt(tx: Tx, publish_at: string | null): Pick<AnnouncementRow, 'publish_at' | 'published_at'> {
  if (publish_at === null || publish_at > tx.at) return { publish_at, published_at: null }
  return { publish_at: tx.at, published_at: tx.at }
}

async function setGroups(tx: Tx, announcement_id: string, group_ids: readonly string[]): Promise<void> {
  await tx.db.deleteFrom('announcement_groups').where('announcement_id', '=', announcement_id).execute()
  const rows = [...new Set(group_ids)].map((group_id) => ({ announcement_id, group_id }))
  if (rows.length > 0) await tx.db.insertInto('announcement_groups').values(rows).execute()
}

/** The hour of a scheduled one has come. */
export async function tellPublished(tx: Tx, id: string, organization_id: string): Promise<void> {
  await tell(tx, { id, organization_id }, 'published', await groupsOf(tx, id))
}

/** The groups that an announcement is for; none when it is for everybody. */
async function groupsOf(tx: Tx, announcement_id: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('announcement_groups')
    .select('group_id')
    .where('announcement_id', '=', announcement_id)
    .execute()
  return rows.map(({ group_id }) => group_id)
}

/** `group_ids` those who hear of it; none: every member. */
function tell(
  tx: Tx,
  { id, organization_id }: Pick<StoredAnnouncement, 'id' | 'organization_id'>,
  change: Change,
  group_ids: readonly string[],
): Promise<void> {
  return tx.append(`o:${organization_id}`, 'announcement', {
    id,
    change,
    ...(group_ids.length > 0 && { group_ids: [...group_ids] }),
  })
}

// Announcements as they travel: to readers without their groups, to admins with what becomes of them.

export type StoredAnnouncement = Selectable<AnnouncementRow>

/** Where it stands at an instant. What is due is still scheduled until the server has published it. */
function stateOf(
  { publish_at, published_at, expire_at }: Pick<AnnouncementRow, 'publish_at' | 'published_at' | 'expire_at'>,
  at: string,
): AnnouncementState {
  if (publish_at === null) return 'draft'
  if (expire_at !== null && expire_at <= at) return 'expired'
  return published_at === null ? 'scheduled' : 'published'
}

/** As this person reads them. */
export async function presentAnnouncements(
  db: Db,
  uid: string,
  rows: readonly StoredAnnouncement[],
  now: Now,
): Promise<Announcement[]> {
  const heads = await presentHeads(db, uid, rows)
  const authors = await authorsOf(db, rows)
  return rows.map((row, i) => ({
    ...(heads[i] as AnnouncementHead),
    body: row.body,
    state: stateOf(row, now.at),
    expire_at: row.expire_at,
    group_ids: [],
    notify: row.notify === 1,
    author: authors(row.created_by),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }))
}

/** Without their texts. */
export async function presentHeads(
  db: Db,
  uid: string,
  rows: readonly StoredAnnouncement[],
): Promise<AnnouncementHead[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const places = [...new Set(rows.flatMap(({ organization_id }) => organization_id ?? []))]
  const names = new Map(
    places.length === 0
      ? []
      : (await db.selectFrom('organizations').select(['id', 'name']).where('id', 'in', places).execute()).map(
          (one) => [one.id, one] as const,
        ),
  )
  const reads = new Map(
    (
      await db
        .selectFrom('announcement_reads')
        .select(['announcement_id', 'read_at'])
        .where('uid', '=', uid)
        .where('announcement_id', 'in', ids)
        .execute()
    ).map((one) => [one.announcement_id, one.read_at]),
  )
  return rows.map((row) => ({
    id: row.id,
    scope: row.organization_id === null ? ('platform' as const) : ('organization' as const),
    organization: names.get(row.organization_id ?? '') ?? null,
    title: row.title,
    tags: JSON.parse(row.tags) as string[],
    pinned: row.pinned === 1,
    publish_at: row.publish_at,
    read_at: reads.get(row.id) ?? null,
  }))
}

/** As admins see them. */
export async function presentManaged(
  db: Db,
  uid: string,
  rows: readonly StoredAnnouncement[],
  now: Now,
): Promise<ManagedAnnouncement[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const groups = Map.groupBy(
    await db
      .selectFrom('announcement_groups')
      .selectAll()
      .where('announcement_id', 'in', ids)
      .orderBy('group_id')
      .execute(),
    ({ announcement_id }) => announcement_id,
  )
  const counts = await countReaders(db, ids, now.day)
  return (await presentAnnouncements(db, uid, rows, now)).map((one) => ({
    ...one,
    group_ids: (groups.get(one.id) ?? []).map(({ group_id }) => group_id),
    reads_count: counts.get(one.id)?.reads ?? 0,
    audience_count: counts.get(one.id)?.audience ?? 0,
  }))
}

async function authorsOf(db: Db, rows: readonly StoredAnnouncement[]) {
  const uids = [...new Set(rows.flatMap(({ created_by }) => created_by ?? []))]
  const people =
    uids.length === 0
      ? []
      : await db
          .selectFrom('users')
          .select(['id', 'name'])
          .where('id', 'in', uids)
          // Whoever gave the account up has no name any more.
          .where('deleted_at', 'is', null)
          .execute()
  const found = new Map(people.map((one) => [one.id, one]))
  return (uid: string | null) => found.get(uid ?? '') ?? null
}

/** Pinned ones first, then the newest. */
export const IN_ORDER = sql`a.pinned desc, a.publish_at desc, a.id desc`
