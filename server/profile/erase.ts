// Erases what was only the person's after an account was given up: in small steps, so that signals of others pass in between,
// and again from where it stopped when the server stopped in the middle.
import { sql } from 'kysely'
import type { App } from '../context.ts'
import { unlink } from '../file/store.ts'
import { someRows } from '../record/erasing.ts'
import { HOLDINGS } from './holdings.ts'

/** How long the webhooks of an erased account still say 410 (ruling C9); then nothing knows them any more. */
const KNOWN_MS = 30 * 86_400_000

type Parts = Pick<App, 'db' | 'now' | 'config' | 'log' | 'erasures'>

/** Erases whatever is left of accounts given up; gives how many accounts were finished. */
export async function eraseGone(app: Parts): Promise<number> {
  const people = await app.db
    .selectFrom('users')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where('erased_at', 'is', null)
    .execute()
  let finished = 0
  for (const { id } of people) {
    if (!(await erase(app, id))) break
    await app.db
      .updateTable('users')
      .set({ erased_at: new Date(app.now()).toISOString() })
      .where('id', '=', id)
      .execute()
    finished++
  }
  await forgetOld(app)
  return finished
}

/** False when the server stops before all is gone: the next start goes on. */
async function erase(app: Parts, uid: string): Promise<boolean> {
  const scope = `p:${uid}`
  const many = HOLDINGS.filter((one) => one.on_leave === 'delete' && one.many)
  const parts = many.map(({ table, by }) => someRows(table, sql`${sql.ref(by)} = ${uid}`))
  if (!(await app.erasures.ofOwner(scope, parts))) return false
  const files = await app.db.deleteFrom('files').where('scope', '=', scope).returning('name').execute()
  await unlink(
    app,
    files.map(({ name }) => name),
  )
  return true
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
