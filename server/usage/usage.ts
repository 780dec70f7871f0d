// The lines of 用量: how much of the room an owner has taken.
import { sql } from 'kysely'
import type { Scope } from '#contract/events.ts'
import {
  ACCESS_NOTES_PER_OWNER,
  ANNOUNCEMENT_SIGNS_PER_OWNER,
  ANSWERS_PER_ACCOUNT_BYTES,
  DELIVERIES_PER_OWNER,
  EVENTS_PER_OWNER,
  IMAGES_PER_OWNER_BYTES,
  IMPORTED_PER_OWNER,
  MESSAGES_PER_OWNER_BYTES,
  NOTES_PER_OWNER,
  NOTIFICATIONS_PER_ACCOUNT,
  ORIGINAL_PER_OWNER_BYTES,
  RECEIVERS_PER_ACCOUNT,
  REFUSED_PER_OWNER_BYTES,
  SIGN_INS_PER_ACCOUNT,
  STOCK_RULES_PER_OWNER,
  STRATEGIES_PER_OWNER,
} from '#contract/limits.ts'
import type { OrganizationUsage, Usage } from '#contract/profile.ts'
import type { Db } from '../db/schema.ts'
import { messagesOf } from './messages.ts'
import { announcementSigns, imageBytes, notesOf, originalOf, rulesOf, strategiesOf } from './quotas.ts'
import { answersOf, eventsOf, roomOf } from './tables.ts'

const MOST = {
  strategies: STRATEGIES_PER_OWNER,
  note_signs: NOTES_PER_OWNER,
  image_bytes: IMAGES_PER_OWNER_BYTES,
  original_bytes: ORIGINAL_PER_OWNER_BYTES,
  imported: IMPORTED_PER_OWNER,
  refused_bytes: REFUSED_PER_OWNER_BYTES,
  message_bytes: MESSAGES_PER_OWNER_BYTES,
  deliveries: DELIVERIES_PER_OWNER,
  events: EVENTS_PER_OWNER,
  rules: STOCK_RULES_PER_OWNER,
  announcement_signs: ANNOUNCEMENT_SIGNS_PER_OWNER,
  access_notes: ACCESS_NOTES_PER_OWNER,
} as const
type Line = keyof typeof MOST

/** Everything of the person, and of the organizations that take the person's room. */
export async function usageOf(db: Db, uid: string): Promise<Usage> {
  const { scopes } = await roomOf(db, `p:${uid}`)
  const used = await countsOf(db, scopes)
  const own = async (table: 'notifications' | 'sessions' | 'channel_receivers') => {
    const { rows } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('rows'))
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow()
    return Number(rows)
  }
  return {
    ...shares((line) => ({ used: used[line], most: MOST[line] })),
    records: await recordsOf(db, scopes),
    answer_bytes: { used: await answersOf(db, uid), most: ANSWERS_PER_ACCOUNT_BYTES },
    notifications: { used: await own('notifications'), most: NOTIFICATIONS_PER_ACCOUNT },
    sign_ins: { used: await own('sessions'), most: SIGN_INS_PER_ACCOUNT },
    receivers: { used: await own('channel_receivers'), most: RECEIVERS_PER_ACCOUNT },
  }
}

/** The organization's part; the most is that with what is left of the room it takes. */
export async function usageOfOrganization(db: Db, id: string): Promise<OrganizationUsage> {
  const scope: Scope = `o:${id}`
  const { scopes } = await roomOf(db, scope)
  const [own, all] = [await countsOf(db, [scope]), await countsOf(db, scopes)]
  return {
    ...shares((line) => ({
      used: own[line],
      most: Math.max(own[line], MOST[line] - (all[line] - own[line])),
    })),
    records: await recordsOf(db, [scope]),
  }
}

function shares(
  of: (line: Line) => { used: number; most: number },
): Record<Line, { used: number; most: number }> {
  return Object.fromEntries((Object.keys(MOST) as Line[]).map((line) => [line, of(line)])) as ReturnType<
    typeof shares
  >
}

async function countsOf(db: Db, scopes: readonly Scope[]): Promise<Record<Line, number>> {
  const messages = await messagesOf(db, scopes)
  const original = await originalOf(db, scopes)
  const organization_ids = scopes.flatMap((scope) => (scope.startsWith('o:') ? scope.slice(2) : []))
  const { notes } = await db
    .selectFrom('access_changes')
    .select(({ fn }) => fn.countAll().as('notes'))
    .where('organization_id', 'in', [...organization_ids, ''])
    .executeTakeFirstOrThrow()
  return {
    strategies: await strategiesOf(db, scopes),
    note_signs: await notesOf(db, scopes),
    image_bytes: await imageBytes(db, scopes),
    original_bytes: original.bytes,
    imported: original.made,
    refused_bytes: messages.refused_bytes,
    message_bytes: messages.signal_bytes,
    deliveries: messages.deliveries,
    events: await eventsOf(db, scopes),
    rules: await rulesOf(db, scopes),
    announcement_signs: await announcementSigns(db, organization_ids),
    access_notes: Number(notes),
  }
}

/** Records, for good: nothing bounds how many. */
async function recordsOf(db: Db, scopes: readonly Scope[]): Promise<number> {
  const { records } = await db
    .selectFrom('strategies')
    .select(sql<number | string | null>`sum(chain_seq)`.as('records'))
    .where('scope', 'in', scopes)
    .where('name', '!=', '')
    .executeTakeFirstOrThrow()
  return Number(records ?? 0)
}
