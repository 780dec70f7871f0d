// Accounts and session rows.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import { signToken } from '../access/actor.ts'
import type { Actor, App, Tx } from '../context.ts'
import { asMailed, oddAccounts } from '../db/migrations/until-054.ts'
import { held } from '../db/query.ts'
import type { Db } from '../db/schema.ts'
import { cookiePrefix } from '../http/secure.ts'
import { newId } from '../ids.ts'
import { endGrantsOf } from '../oidc/grants.ts'

// Cookies of a request. They never sign anybody in: they only bind a step to the browser that began it.

/** One cookie of a Cookie header, else null. */
export function readCookie(header: string, name: string): string | null {
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return null
}

// A name for the device of a session, from its User-Agent: enough to recognise one's own phone in a list.

const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
  [/^LingBo-demo$/, '凌波示範程式'],
]
// Order matters: nearly everything also calls itself Safari, and Edge also Chrome.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bLine\//i, 'LINE'],
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/** For example 「iPhone · Safari」; 「未知裝置」 when nothing is recognised. */
export function deviceLabel(user_agent: string): string {
  const find = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(user_agent))?.[1]
  return [find(SYSTEMS), find(BROWSERS)].filter(Boolean).join(' · ') || '未知裝置'
}

// The cookie of a browser that signed in before: it opens nothing, it only says that this one is no stranger to the account,
// so that what strangers guess does not count against it.

const PATH = '/api/v1/user'
const LIFE_S = 180 * 86_400
/** People who share a browser: the ones who signed in last. */
const MOST = 4
const ID = 9
const TIME = 4
const MAC = 16

type Signer = Pick<App, 'keys' | 'config' | 'now'>

/** The id of this browser's mark for the account, null when it has none (any more). */
export function knownDevice(app: Signer, account: string, cookie: string): string | null {
  return (
    marksOf(app, cookie)
      .find((mark) => isFor(app, account, mark))
      ?.subarray(0, ID)
      .toString('base64url') ?? null
  )
}

/**
 * The Set-Cookie line after a sign-in: a fresh mark, in the place of the account's old one. The marks of a session have one id: else a
 * stolen token, renewed again and again, would have the tries of as many devices.
 */
export function rememberDevice(app: Signer, account: string, cookie: string, sid = newId()): string {
  const head = Buffer.alloc(ID + TIME)
  Buffer.from(app.keys.mark(`device of ${sid}`), 'hex').copy(head, 0, 0, ID)
  head.writeUInt32BE(Math.floor(app.now() / 1_000), ID)
  const fresh = Buffer.concat([head, macOf(app, account, head)])
  const others = marksOf(app, cookie).filter((mark) => !isFor(app, account, mark))
  const value = [fresh, ...others].slice(0, MOST).map((mark) => mark.toString('base64url'))
  const secure = app.config.public_url.startsWith('https:') ? '; Secure' : ''
  return `${nameOf(app)}=${value.join('.')}; Path=${PATH}; Max-Age=${LIFE_S}; HttpOnly; SameSite=Strict${secure}`
}

const nameOf = ({ config }: Signer) => `${cookiePrefix(config)}lb_device`

/** The marks that are of the right size and not too old, whoever wrote them. */
function marksOf(app: Signer, cookie: string): Buffer[] {
  const now_s = app.now() / 1_000
  return (readCookie(cookie, nameOf(app)) ?? '')
    .split('.')
    .slice(0, MOST)
    .map((text) => Buffer.from(text, 'base64url'))
    .filter((mark) => mark.length === ID + TIME + MAC && mark.readUInt32BE(ID) + LIFE_S > now_s)
}

function isFor(app: Signer, account: string, mark: Buffer): boolean {
  return timingSafeEqual(mark.subarray(ID + TIME), macOf(app, account, mark.subarray(0, ID + TIME)))
}

/** Over the account, so that the cookie itself does not say whose browser it is. */
function macOf({ keys }: Signer, account: string, head: Buffer): Buffer {
  return createHmac('sha256', keys.purpose('known device'))
    .update(head)
    .update(account)
    .digest()
    .subarray(0, MAC)
}

type SessionApp = Pick<App, 'keys' | 'now' | 'config' | 'engine'>
/** A sign-in is a call of nobody yet: it counts here as one of the account. */
const WRITES = 5

const DAY_MS = 86_400_000

/** The account of an address (lower case), with its password hash. */
export function findAccount(db: Db, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'password_hash'])
    .where('email', '=', email)
    .executeTakeFirst()
}

/** Makes an account that nothing is known of yet but this; false when its address has one already. */
export async function addAccount(
  tx: Tx,
  account: { id: string; email: string; name: string; password_hash: string | null; email_verified: boolean },
): Promise<boolean> {
  const made = await tx.db
    .insertInto('users')
    .values({
      ...account,
      email_verified: account.email_verified ? 1 : 0,
      need_force_update_password: 0,
      avatar: null,
      created_at: tx.at,
      updated_at: tx.at,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/**
 * True while this is still the account's password, which then stays until the transaction ends: whatever was proved by it
 * before must not happen after another one has been set.
 */
export async function holdProved(
  app: Pick<App, 'engine'>,
  tx: Tx,
  uid: string,
  password_hash: string | null,
): Promise<boolean> {
  const query = tx.db.selectFrom('users').select('password_hash').where('id', '=', uid)
  // No lock on the key: memberships that name the person go on meanwhile.
  const row = await (app.engine === 'postgres' ? query.forNoKeyUpdate() : query).executeTakeFirst()
  return row !== undefined && row.password_hash !== null && row.password_hash === password_hash
}

/** Opens a session; gives its first token. */
export async function openSession(
  app: SessionApp & Pick<App, 'room'>,
  tx: Tx,
  {
    uid,
    sid,
    device_label,
    receiver_id = null,
  }: { uid: string; sid: string; device_label: string; receiver_id?: string | null },
): Promise<string> {
  const ends_at = endFrom(app, tx.at)
  const { token, claims } = await signToken(app, uid, sid, ends_at)
  await tx.db
    .insertInto('sessions')
    .values({
      ...{ id: sid, uid, device_label, receiver_id, ends_at, ended_at: null },
      ...{ created_at: tx.at, last_seen_at: tx.at, expires_at: new Date(claims.exp * 1_000).toISOString() },
    })
    .execute()
  tx.afterCommit(() => app.room.wrote(`p:${uid}`, WRITES))
  return token
}

/** Another token of a living session; `proved`: its password was typed, and its end begins anew. Null when it has ended meanwhile. */
export async function renewSession(
  app: SessionApp,
  tx: Tx,
  { uid, sid }: Pick<Actor, 'uid' | 'sid'>,
  { proved = false }: { readonly proved?: boolean } = {},
): Promise<{ access_token: string; ends_at: string } | null> {
  const query = tx.db
    .selectFrom('sessions')
    .select('ends_at')
    .where('id', '=', sid)
    .where('ended_at', 'is', null)
  const row = await held(app, query).executeTakeFirst()
  if (!row) return null
  const ends_at = proved ? endFrom(app, tx.at) : row.ends_at
  const { token, claims } = await signToken(app, uid, sid, ends_at)
  await tx.db
    .updateTable('sessions')
    .set({ ends_at, expires_at: new Date(claims.exp * 1_000).toISOString(), last_seen_at: tx.at })
    .where('id', '=', sid)
    .execute()
  return { access_token: token, ends_at }
}

function endFrom({ config }: SessionApp, at: string): string {
  return new Date(Date.parse(at) + config.session_days * DAY_MS).toISOString()
}

/**
 * Ends a session of this person, and what chats that came from it may ask for; false when it is none of theirs or has ended.
 * `others`: it is ended from another one, whose person does not want whoever is there.
 */
export async function closeSession(
  tx: Tx,
  uid: string,
  sid: string,
  { others = false }: { readonly others?: boolean } = {},
): Promise<boolean> {
  const row = await tx.db
    .updateTable('sessions')
    .set({ ended_at: tx.at })
    .where('id', '=', sid)
    .where('uid', '=', uid)
    .where('ended_at', 'is', null)
    .returning(['id', 'receiver_id'])
    .executeTakeFirst()
  if (!row) return false
  await forgetDevices(tx, uid, [row.id])
  await doubtChatsOf(tx, uid, { sid, receiver_id: others ? row.receiver_id : null })
  return true
}

/** Who is signed out on a device is told nothing there any more. */
async function forgetDevices(tx: Tx, uid: string, sids: readonly string[]): Promise<void> {
  if (sids.length > 0)
    await tx.db.deleteFrom('channel_receivers').where('uid', '=', uid).where('sid', 'in', sids).execute()
}

/** Chats that could ask for a link that signs in: whoever bound them under the old password need not be who holds the new one. */
async function doubtChats(tx: Tx, uid: string): Promise<void> {
  await tx.db.updateTable('channel_receivers').set({ doubted: 1 }).where('uid', '=', uid).execute()
}

/**
 * The same for the chats of one session: those whose person said in it that they are theirs (or nobody knows where), and the one
 * whose link opened it. Links that it made to bind a chat, and such a chat's unused tickets, go with it.
 */
async function doubtChatsOf(
  tx: Tx,
  uid: string,
  { sid, receiver_id }: { readonly sid: string; readonly receiver_id: string | null },
): Promise<void> {
  const doubted = await tx.db
    .updateTable('channel_receivers')
    .set({ doubted: 1 })
    .where('uid', '=', uid)
    .where('channel', '=', 'telegram')
    .where((eb) =>
      eb.or([eb('bound_sid', '=', sid), eb('bound_sid', 'is', null), eb('id', '=', receiver_id ?? '')]),
    )
    .returning('id')
    .execute()
  await tx.db
    .deleteFrom('binding_codes')
    .where('uid', '=', uid)
    .where('used_at', 'is', null)
    .where((eb) => eb.or([eb('sid', '=', sid), eb('sid', 'is', null)]))
    .execute()
  const ids = doubted.map(({ id }) => id)
  if (ids.length === 0) return
  await tx.db
    .deleteFrom('tickets')
    .where('uid', '=', uid)
    .where('used_at', 'is', null)
    .where('receiver_id', 'in', ids)
    .execute()
  await tx.append(`p:${uid}`, 'telegram', { change: 'state' })
}

/**
 * Ends every session of the person but `except`, the tickets that would open further ones, the right of chats to ask for such,
 * and what applications of others may do; their streams close with the commit.
 */
export async function closeSessions(
  app: Pick<App, 'events'>,
  tx: Tx,
  uid: string,
  except: string | null = null,
): Promise<void> {
  // Before the tickets: one that is being made holds the chat's row, and is seen below.
  await doubtChats(tx, uid)
  // A link of a session that ended binds nobody, and no chat anew.
  await tx.db
    .deleteFrom('binding_codes')
    .where('uid', '=', uid)
    .where('used_at', 'is', null)
    .where((eb) => eb.or([eb('sid', '!=', except ?? ''), eb('sid', 'is', null)]))
    .execute()
  await tx.db.deleteFrom('tickets').where('uid', '=', uid).where('used_at', 'is', null).execute()
  // After the tickets: one that is being used is waited for, and the session that it opens is among these.
  const ended = await tx.db
    .updateTable('sessions')
    .set({ ended_at: tx.at })
    .where('uid', '=', uid)
    .where('id', '!=', except ?? '')
    .where('ended_at', 'is', null)
    .returning('id')
    .execute()
  await forgetDevices(
    tx,
    uid,
    ended.map(({ id }) => id),
  )
  await endGrantsOf(app, tx, uid)
  tx.afterCommit(() => {
    for (const { id } of ended) app.events.endSession(id)
  })
}

/** The living sessions of a person, the last seen first. */
export function sessionsOf(db: Db, uid: string, now: string) {
  return db
    .selectFrom('sessions')
    .select(['id', 'device_label', 'created_at', 'last_seen_at', 'ends_at'])
    .where('uid', '=', uid)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

// Accounts that two writings of one address had made: they kept everything but the way in by password, and the operator hears of them.

/** Says once, after the migration that found them, which accounts they are. */
export async function tellTwins(db: Db, ran: readonly string[], log: Pick<Logger, 'warn'>): Promise<void> {
  if (!ran.includes('014-addresses')) return
  for (const { id, email } of await oddAccounts(db)) {
    const twin = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', asMailed(email))
      .executeTakeFirst()
    log.warn(
      { uid: id, same_as: twin?.id ?? null },
      'this address is another account’s too: see docs/running.md',
    )
  }
}
