// Giving the account up: at once nobody can use it or see anything of it; what was only the person's is then erased.
// What others keep stays whole: the row of the person remains behind it, without name, address or picture.
import { sql } from 'kysely'
import { ApiError } from '#contract/errors.ts'
import { taipei } from '#trading/calendar.ts'
import { endMembership } from '../access/membership.ts'
import type { App, Tx } from '../context.ts'
import { held } from '../db/query.ts'
import { unlink } from '../file/store.ts'
import type { Job } from '../jobs/jobs.ts'
import { accountDeletedMail } from '../mail/messages.ts'
import { closeDoors, ofScope, someRows } from '../record/erase.ts'
import { eraseThrough } from '../record/erasures.ts'
import { closeSessions } from '../session/store.ts'
import { deletionOf, HOLDINGS } from './store.ts'

// Erases what was only the person's after an account was given up: in small steps, so that signals of others pass in between,
// and again from where it stopped when the server stopped in the middle.

/** How long the webhooks of an erased account still say 410 (ruling C9); then nothing knows them any more. */
const KNOWN_MS = 30 * 86_400_000

type Parts = Pick<App, 'db' | 'now' | 'config' | 'log' | 'events' | 'background'>

/** Erases what is left of an account that was given up. */
export async function eraseAccount(app: Parts, job: Job<'erase-account'>): Promise<void> {
  const { key: uid, owner: scope } = job
  const many = HOLDINGS.filter((one) => one.on_leave === 'delete' && one.many)
  const parts = many.map(({ table, by }) => someRows(table, sql`${sql.ref(by)} = ${uid}`))
  if (!(await eraseThrough(app, job, parts)) || !(await eraseThrough(app, job, ofScope(app.db, scope))))
    return
  const files = await app.db.deleteFrom('files').where('scope', '=', scope).returning('name').execute()
  await unlink(
    app,
    files.map(({ name }) => name),
  )
  const erased_at = new Date(app.now()).toISOString()
  await app.db
    .updateTable('users')
    .set({ erased_at })
    .where('id', '=', uid)
    .where('deleted_at', 'is not', null)
    .execute()
}

/** The empty rows go too once nobody needs to hear 410 from them. */
export async function forgetErased({ db, now }: Pick<App, 'db' | 'now'>): Promise<void> {
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

const GONE_NAME = '已刪除的使用者'

/** Ends the account. ApiError 4093 while the person is the only admin of an organization. */
export async function leave(
  app: App,
  tx: Tx,
  { uid, email, name }: { uid: string; email: string; name: string },
): Promise<void> {
  await refuseSoleAdmin(app, tx, uid)
  const memberships = await tx.db
    .selectFrom('memberships')
    .select('organization_id')
    .where('user_id', '=', uid)
    .orderBy('organization_id')
    .execute()
  for (const { organization_id } of memberships) await endMembership(tx, organization_id, uid, 'left')
  const strategies = await closeDoors(tx, `p:${uid}`)
  await closeSessions(app, tx, uid)
  const asked = await tx.db
    .selectFrom('join_requests')
    .select('organization_id')
    .where('user_id', '=', uid)
    .where('status', '=', 'pending')
    .orderBy('organization_id')
    .execute()
  for (const { organization_id: id } of asked)
    await tx.append(`o:${id}`, 'organization', { id, change: 'join_requests' })
  for (const holding of HOLDINGS)
    if (holding.on_leave === 'delete' && !holding.many) await deletionOf(holding, uid).execute(tx.db)
  await tx.db
    .updateTable('users')
    .set({
      // No address has this shape, so nobody can sign in with it and the real one is free again.
      email: `deleted:${uid}`,
      name: GONE_NAME,
      password_hash: null,
      email_verified: 0,
      need_force_update_password: 0,
      avatar: null,
      updated_at: tx.at,
      name_edited_at: null,
      avatar_edited_at: null,
      deleted_at: tx.at,
    })
    .where('id', '=', uid)
    .execute()
  tx.afterCommit(() => {
    for (const id of strategies) app.fold_cache.forget(id)
    app.mail.post(accountDeletedMail(email, name))
  })
  await app.jobs.add(tx, { kind: 'erase-account', key: uid, owner: `p:${uid}`, data: null })
}

/** An organization must not be left without somebody who can manage it. The rows are held, so that two cannot leave at once. */
async function refuseSoleAdmin(app: App, tx: Tx, uid: string): Promise<void> {
  const query = tx.db
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('memberships')
        .select('organization_id')
        .where('user_id', '=', uid)
        .where('role', '=', 'admin'),
    )
    .orderBy('id')
  const organizations = await held(app, query).execute()
  const day = taipei(tx.at).date
  const alone: string[] = []
  for (const { id, name } of organizations) {
    const other = await tx.db
      .selectFrom('memberships')
      .select('user_id')
      .where('organization_id', '=', id)
      .where('user_id', '!=', uid)
      .where('role', '=', 'admin')
      .where('starts_on', '<=', day)
      // One whose time ends would leave nobody behind, as everywhere else (access/members.ts).
      .where('expires_on', 'is', null)
      .executeTakeFirst()
    if (!other) alone.push(`「${name}」`)
  }
  if (alone.length > 0)
    throw new ApiError(4093, {
      msg: 'only admin of an organization',
      text: `你是${alone.join('、')}唯一沒有到期日的管理者。請先把管理者交給別人，或解散組織，再刪除帳號`,
    })
}
