// What a person wants to be told, where and when: fields by path over the defaults; per field the last edit stands (ruling A19).
import { CHANNELS, type ChannelId, FALLBACK, kindDefault, NOTIFICATION_KINDS } from '#contract/channels.ts'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import {
  type NotificationSetting,
  type Overwritten,
  type SettingPath,
  setting_changes,
  type updateNotificationSetting,
} from '#contract/notification.ts'
import { type Editor, editedAt, type FieldEdit, settle } from '../access/edits.ts'
import type { Tx } from '../context.ts'
import type { Db } from '../db/schema.ts'

/** What of the setting is one value for the person; the rows of strategies and Telegram stand elsewhere. */
export type Wishes = Omit<NotificationSetting, 'strategies' | 'telegram'>

/** A field somebody set. */
type Field = FieldEdit & { readonly value: unknown }
type Fields = Partial<Record<SettingPath, Field>>

/** What holds for somebody who never set anything. */
export function defaultWishes(): Wishes {
  return {
    channels: all(() => true),
    kinds: Object.fromEntries(
      NOTIFICATION_KINDS.map((kind) => [kind, all((channel) => kindDefault(kind, channel))]),
    ) as Wishes['kinds'],
    privacy: all(() => 'full' as const),
    fallback: { after_s: FALLBACK.after_s, order: [...FALLBACK.order] },
    quiet_hours: {
      enabled: false,
      from: '22:30',
      to: '07:30',
      days: [1, 2, 3, 4, 5, 6, 7],
      exits_pass: true,
    },
    merge_seconds: 0,
  }
}

function all<T>(value: (channel: ChannelId) => T): Record<ChannelId, T> {
  return Object.fromEntries(CHANNELS.map((channel) => [channel, value(channel)])) as Record<ChannelId, T>
}

/** The wishes of these people, by person; the defaults for who has none. */
export async function wishesOf(db: Db, uids: readonly string[]): Promise<(uid: string) => Wishes> {
  const rows =
    uids.length === 0
      ? []
      : await db
          .selectFrom('notification_settings')
          .selectAll()
          .where('uid', 'in', [...uids])
          .execute()
  const found = new Map(rows.map((row) => [row.uid, laid(read(row.fields))]))
  const none = defaultWishes()
  return (uid) => found.get(uid) ?? none
}

/**
 * Lays changed fields over what is stored. Of two edits of one field that did not know of each other the later stands; the
 * other is given back, for 「還原」. Says so on the person's stream when anything changed.
 */
export async function writeWishes(
  tx: Tx,
  uid: string,
  { edited_at, ...given }: ParsedInputOf<typeof updateNotificationSetting>,
  by: Editor,
): Promise<Overwritten[]> {
  const row = await tx.db
    .selectFrom('notification_settings')
    .selectAll()
    .where('uid', '=', uid)
    .executeTakeFirst()
  const fields = row ? read(row.fields) : {}
  const changes = byPath(given, laid(fields))
  const of = (path: string) => fields[path as SettingPath]
  const { stands, lost } = settle(
    { edit: of, value: (path) => of(path)?.value },
    changes,
    { at: editedAt(edited_at, tx.at), came: tx.at },
    by,
  )
  for (const [path, edit] of Object.entries(stands) as [SettingPath, FieldEdit][])
    fields[path] = { value: changes[path], ...edit }
  if (Object.keys(stands).length === 0) return lost
  const columns = { fields: JSON.stringify(fields), updated_at: tx.at }
  await tx.db
    .insertInto('notification_settings')
    .values({ uid, ...columns })
    .onConflict((conflict) => conflict.column('uid').doUpdateSet(columns))
    .execute()
  await tx.append(`p:${uid}`, 'setting', { change: 'notification' })
  return lost
}

/**
 * Given fields by their paths, whether they came so or in parts. Who puts a whole part back changes what is another value there;
 * of a field that came in both ways the path counts.
 */
function byPath(
  given: Readonly<Record<string, unknown>>,
  stands: Wishes,
): Partial<Record<SettingPath, unknown>> {
  const at = (whole: unknown, path: string) =>
    path.split('.').reduce<unknown>((part, name) => (isPlain(part) ? part[name] : undefined), whole)
  const changed = (path: string) => {
    const value = at(given, path)
    return JSON.stringify(value) === JSON.stringify(at(stands, path)) ? undefined : value
  }
  return Object.fromEntries(
    Object.keys(setting_changes.shape).map((path) => [path, given[path] ?? changed(path)]),
  )
}

function read(json: string): Fields {
  return JSON.parse(json) as Fields
}

/** The defaults with these fields in their places. A path that is no field any more changes nothing. */
function laid(fields: Fields): Wishes {
  const wishes = defaultWishes()
  for (const [path, field] of Object.entries(fields)) {
    const parts = path.split('.')
    const last = parts.pop() as string
    const place = parts.reduce<unknown>((at, part) => (isPlain(at) ? at[part] : undefined), wishes)
    if (isPlain(place) && last in place) place[last] = field?.value
  }
  return wishes
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
