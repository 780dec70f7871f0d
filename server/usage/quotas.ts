// What is refused with a sentence when an owner has no room for it: what somebody laid down by hand is never let go by itself.
import { sql } from 'kysely'
import { ApiError } from '#contract/errors.ts'
import type { Scope } from '#contract/events.ts'
import {
  ANNOUNCEMENT_SIGNS_PER_OWNER,
  GROUP_STRATEGIES_PER_OWNER,
  GROUPS_PER_OWNER,
  IMAGES_PER_OWNER_BYTES,
  IMPORTED_PER_OWNER,
  NOTES_PER_OWNER,
  ORIGINAL_FILES_MOST,
  ORIGINAL_PER_OWNER_BYTES,
  STOCK_RULES_PER_OWNER,
  STRATEGIES_PER_OWNER,
} from '#contract/limits.ts'
import { number } from '#trading/written.ts'
import { takeTurn } from '../db/query.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { type OwnerRoom, roomOf } from './tables.ts'

type Scopes = readonly string[]

const TEN_THOUSAND = 10_000

/** The room of the scope, alone: what counts and then adds needs that nobody adds in between. */
async function takeRoom(db: Db, scope: Scope): Promise<OwnerRoom> {
  const room = await roomOf(db, scope)
  await takeTurn(db, `room ${room.key}`)
  return room
}

/** Of several organizations of one person it is the person's room that is full. */
const together = ({ scopes }: OwnerRoom) => (scopes.length > 1 ? '（個人與帶領的組織合計）' : '')

export async function strategiesOf(db: Db, scopes: Scopes): Promise<number> {
  const { count } = await db
    .selectFrom('strategies')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('scope', 'in', scopes)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** 4220 when the owner has as many strategies as there may be. */
export async function roomForStrategy(db: Db, scope: Scope): Promise<void> {
  const room = await takeRoom(db, scope)
  if ((await strategiesOf(db, room.scopes)) >= STRATEGIES_PER_OWNER)
    throw new ApiError(4220, {
      text: `策略${together(room)}最多 ${number(STRATEGIES_PER_OWNER)} 個，已經滿了；請先刪除用不到的`,
    })
}

/** Signs of all notes; those of strategies that were taken away and kept for their members count: they stay. */
export async function notesOf(db: Db, scopes: Scopes): Promise<number> {
  const { sum } = await db
    .selectFrom('strategies')
    .select(sql<number | string | null>`sum(length(note))`.as('sum'))
    .where('scope', 'in', scopes)
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** 4220 when the owner's notes together would be longer than there is room for; a note that gets no longer always fits. */
export async function roomForNote(db: Db, scope: Scope, note: string, before: string): Promise<void> {
  const more = note.length - before.length
  if (more <= 0) return
  const room = await takeRoom(db, scope)
  if ((await notesOf(db, room.scopes)) + more > NOTES_PER_OWNER)
    throw new ApiError(4220, {
      text: `所有策略的說明${together(room)}合計最多 ${NOTES_PER_OWNER / TEN_THOUSAND} 萬字，已經滿了；請先縮短，或連同紀錄刪除用不到的`,
      fields: { note: '說明的總字數已滿' },
    })
}

export async function imageBytes(db: Db, scopes: Scopes): Promise<number> {
  const { sum } = await db
    .selectFrom('files')
    .select(({ fn }) => fn.sum('size').as('sum'))
    .where('scope', 'in', scopes)
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** 4220 when the owner's pictures fill the room. */
export async function roomForImage(db: Db, scope: Scope, size: number): Promise<void> {
  const room = await takeRoom(db, scope)
  if ((await imageBytes(db, room.scopes)) + size > IMAGES_PER_OWNER_BYTES)
    throw new ApiError(4220, {
      text: `圖片${together(room)}合計最多 ${IMAGES_PER_OWNER_BYTES / 1024 / 1024} MB，已經滿了；請先移除用不到的`,
    })
}

/** Rules of the strategies; a person's own for them are the person's. */
export async function rulesOf(db: Db, scopes: Scopes): Promise<number> {
  const { count } = await db
    .selectFrom('stock_signal_settings')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('uid', 'is', null)
    .where('strategy_id', 'in', (eb) => eb.selectFrom('strategies').select('id').where('scope', 'in', scopes))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** 4220 where the owner of the strategies, or the person for whom a rule alone counts, keeps as many as one may. */
export async function roomForRules(
  db: Db,
  { scope, uid }: { scope: Scope; uid: string | null },
  more: number,
): Promise<void> {
  const count =
    uid === null ? await rulesOf(db, (await takeRoom(db, scope)).scopes) : await ownRulesOf(db, uid)
  if (count + more > STOCK_RULES_PER_OWNER)
    throw new ApiError(4220, {
      text: `規則總共最多 ${number(STOCK_RULES_PER_OWNER)} 條；請先刪掉用不到的`,
    })
}

async function ownRulesOf(db: Db, uid: string): Promise<number> {
  const { count } = await db
    .selectFrom('stock_signal_settings')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function announcementSigns(db: Db, organization_ids: readonly string[]): Promise<number> {
  if (organization_ids.length === 0) return 0
  const { sum } = await db
    .selectFrom('announcements')
    .select(sql<number | string | null>`sum(length(title) + length(body))`.as('sum'))
    .where('organization_id', 'in', organization_ids)
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** 4220 when the announcements of the owner's organizations fill the room; one that gets no longer always fits. */
export async function roomForAnnouncement(db: Db, organization_id: string, more: number): Promise<void> {
  if (more <= 0) return
  const room = await takeRoom(db, `o:${organization_id}`)
  if ((await announcementSigns(db, room.organization_ids)) + more > ANNOUNCEMENT_SIGNS_PER_OWNER)
    throw new ApiError(4220, {
      text: `所有公告${together(room)}合計最多 ${ANNOUNCEMENT_SIGNS_PER_OWNER / TEN_THOUSAND} 萬字，已經滿了；請先刪除用不到的`,
    })
}

/** 4220 when the owner's organizations have as many groups as there may be. */
export async function roomForGroup(db: Db, organization_id: string): Promise<void> {
  const room = await takeRoom(db, `o:${organization_id}`)
  const { count } = await db
    .selectFrom('strategy_groups')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organization_id', 'in', room.organization_ids)
    .executeTakeFirstOrThrow()
  if (Number(count) >= GROUPS_PER_OWNER)
    throw new ApiError(4220, {
      text: `群組${together(room)}最多 ${number(GROUPS_PER_OWNER)} 個，已經滿了；請先刪除用不到的`,
    })
}

/** 4220 when so many more strategies given to groups are more than there may be. */
export async function roomForGroupStrategies(db: Db, organization_id: string, more: number): Promise<void> {
  if (more <= 0) return
  const room = await takeRoom(db, `o:${organization_id}`)
  const { count } = await db
    .selectFrom('group_strategies')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('group_id', 'in', (eb) =>
      eb.selectFrom('strategy_groups').select('id').where('organization_id', 'in', room.organization_ids),
    )
    .executeTakeFirstOrThrow()
  if (Number(count) + more > GROUP_STRATEGIES_PER_OWNER)
    throw new ApiError(4220, {
      text: `群組裡的策略${together(room)}合計最多 ${number(GROUP_STRATEGIES_PER_OWNER)} 筆，已經滿了；請先移除用不到的`,
    })
}

/** What files of XQ take and have made. */
export async function originalOf(db: Db, scopes: Scopes): Promise<{ bytes: number; made: number }> {
  const { bytes, made } = await db
    .selectFrom('original_batches')
    .select(({ fn }) => [fn.sum('kept_bytes').as('bytes'), fn.sum('made').as('made')])
    .where('scope', 'in', scopes)
    .executeTakeFirstOrThrow()
  return { bytes: Number(bytes ?? 0), made: Number(made ?? 0) }
}

const full = (text: string) => new ApiError(4220, { text, fields: { file: text } })

function requireImported(made: number, more: number): void {
  if (made + more > IMPORTED_PER_OWNER)
    throw full(
      `匯入的訊號最多 ${number(IMPORTED_PER_OWNER)} 筆（作廢的也算），已經有 ${number(made)} 筆：再 ${number(more)} 筆放不下`,
    )
}

/** 4220 where so many more records of files are more than an owner may ever bring. */
export async function roomForImported(
  db: Db,
  { scope }: Pick<StrategyRow, 'scope'>,
  more: number,
): Promise<void> {
  if (more > 0)
    requireImported((await originalOf(db, (await takeRoom(db, scope as Scope)).scopes)).made, more)
}

/** 4220 with what to do where an owner's room does not hold so much more of files. */
export async function roomForFile(
  db: Db,
  { id, scope }: Pick<StrategyRow, 'id' | 'scope'>,
  more: { bytes: number; records: number },
): Promise<void> {
  const { bytes, made } = await originalOf(db, (await takeRoom(db, scope as Scope)).scopes)
  if (bytes + more.bytes > ORIGINAL_PER_OWNER_BYTES)
    throw full(
      `原始資料的空間不夠（最多 ${ORIGINAL_PER_OWNER_BYTES / 1024 / 1024} MB）：請先到原始資料刪除不需要的檔案`,
    )
  requireImported(made, more.records)
  const { count } = await db
    .selectFrom('original_batches')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('strategy_id', '=', id)
    .where('state', '<>', 'deleted')
    .executeTakeFirstOrThrow()
  if (Number(count) >= ORIGINAL_FILES_MOST)
    throw full(`一個策略最多 ${ORIGINAL_FILES_MOST} 個檔案：請先刪除不需要的檔案`)
}
