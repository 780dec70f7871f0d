// Erases what was only the person's after an account was given up: in small steps, so that signals of others pass in between,
// and again from where it stopped when the server stopped in the middle.
import type { Kysely } from 'kysely'
import type { App } from '../context.ts'
import type { Schema } from '../db/schema.ts'
import { unlink } from '../file/store.ts'

const AT_ONCE = 1_000
/** How long the webhooks of an erased account still say 410 (ruling C9); then nothing knows them any more. */
const KNOWN_MS = 30 * 86_400_000

type Parts = Pick<App, 'db' | 'now' | 'config' | 'log'>

/** Erases whatever is left of accounts given up; gives how many accounts were finished. */
export async function eraseGone(app: Parts): Promise<number> {
  const people = await app.db
    .selectFrom('users')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where('erased_at', 'is', null)
    .execute()
  for (const { id } of people) {
    await erase(app, id)
    await app.db
      .updateTable('users')
      .set({ erased_at: new Date(app.now()).toISOString() })
      .where('id', '=', id)
      .execute()
  }
  await forgetOld(app)
  return people.length
}

async function erase(app: Parts, uid: string): Promise<void> {
  const { db } = app
  const scope = `p:${uid}`
  const strategies = await db.selectFrom('strategies').select('id').where('scope', '=', scope).execute()
  for (const { id } of strategies) await eraseStrategy(db, id)
  await drain(() =>
    db
      .deleteFrom('events')
      .where('scope', '=', scope)
      .where('seq', 'in', (eb) =>
        eb.selectFrom('events').select('seq').where('scope', '=', scope).limit(AT_ONCE),
      )
      .executeTakeFirst(),
  )
  await db.deleteFrom('counters').where('scope', '=', scope).execute()
  const files = await db.deleteFrom('files').where('scope', '=', scope).returning('name').execute()
  await unlink(
    app,
    files.map(({ name }) => name),
  )
}

/** Records and messages go; of the strategy and its webhooks the empty rows stay, so that their addresses can say 410. */
async function eraseStrategy(db: Kysely<Schema>, id: string): Promise<void> {
  await drain(() =>
    db
      .deleteFrom('signals')
      .where('id', 'in', (eb) =>
        eb.selectFrom('signals').select('id').where('strategy_id', '=', id).limit(AT_ONCE),
      )
      .executeTakeFirst(),
  )
  const webhooks = await db.selectFrom('webhooks').select('id').where('strategy_id', '=', id).execute()
  for (const webhook of webhooks)
    await drain(() =>
      db
        .deleteFrom('deliveries')
        .where('id', 'in', (eb) =>
          eb.selectFrom('deliveries').select('id').where('webhook_id', '=', webhook.id).limit(AT_ONCE),
        )
        .executeTakeFirst(),
    )
  await db
    .updateTable('webhooks')
    .set({
      name: '',
      token_cipher: '',
      mapping: null,
      secret_hash: null,
      ip_allow: '[]',
      unparsed_rule: null,
      refused_bytes: 0,
    })
    .where('strategy_id', '=', id)
    .execute()
  await db.deleteFrom('strategy_folds').where('strategy_id', '=', id).execute()
  await db.deleteFrom('strategy_notify').where('strategy_id', '=', id).execute()
  await db
    .updateTable('strategies')
    .set({
      name: '',
      name_key: '',
      search_key: '',
      summary: '',
      note: '',
      tags: '[]',
      settings: '{}',
      silence_alarm: '{}',
      stop_loss: null,
      take_profit: null,
    })
    .where('id', '=', id)
    .execute()
}

/** The empty rows go too once nobody needs to hear 410 from them. */
async function forgetOld({ db, now }: Parts): Promise<void> {
  const before = new Date(now() - KNOWN_MS).toISOString()
  const old = db.selectFrom('users').select('id').where('erased_at', '<', before)
  const strategies = await db
    .selectFrom('strategies')
    .select('id')
    .where('owner_type', '=', 'personal')
    .where('deleted_at', '<', before)
    .where('owner_id', 'in', old)
    .execute()
  for (const { id } of strategies) await db.deleteFrom('strategies').where('id', '=', id).execute()
}

async function drain(remove: () => Promise<{ numDeletedRows: bigint }>): Promise<void> {
  while (Number((await remove()).numDeletedRows) >= AT_ONCE);
}
