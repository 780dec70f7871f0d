// Erases what was only the person's after an account was given up: in small steps, so that signals of others pass in between,
// and again from where it stopped when the server stopped in the middle.
import type { App } from '../context.ts'
import { unlink } from '../file/store.ts'
import { eraseStrategies } from '../record/erase.ts'

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
  await eraseStrategies(db, scope)
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
