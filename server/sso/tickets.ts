// One-time tickets: from another provider, a mail or the Telegram bot to a session. Only their SHA-256 is stored.
import { randomBytes } from 'node:crypto'
import { ApiError } from '#contract/errors.ts'
import { TICKET_LIFE_S } from '#contract/oauth.ts'
import type { Config } from '../config.ts'
import type { App, Tx } from '../context.ts'
import type { Db } from '../db/schema.ts'
import type { TicketRow } from '../db/schema-organization.ts'
import { readCookie } from '../http/cookie.ts'
import { cookiePrefix } from '../http/secure.ts'
import { newId } from '../ids.ts'
import { hashed } from '../oidc/store.ts'
import { closeSession, deviceLabel, openSession } from '../session/store.ts'

/** Letters that cannot be guessed: 256 bits. */
export const secret = (): string => randomBytes(32).toString('base64url')

/** Makes a ticket for a person; gives what the link carries. `binding` = the secret in the cookie of the one browser that may use it. */
export async function makeTicket(
  tx: Tx,
  kind: TicketRow['kind'],
  uid: string,
  more: { binding?: string; provider?: string; subject?: string; receiver_id?: string } = {},
): Promise<string> {
  const ticket = secret()
  await tx.db
    .insertInto('tickets')
    .values({
      id_hash: hashed(ticket),
      kind,
      uid,
      provider: more.provider ?? null,
      subject: more.subject ?? null,
      binding_hash: more.binding === undefined ? null : hashed(more.binding),
      created_at: tx.at,
      expires_at: new Date(Date.parse(tx.at) + TICKET_LIFE_S[kind] * 1_000).toISOString(),
      used_at: null,
      sid: null,
      receiver_id: more.receiver_id ?? null,
    })
    .execute()
  return ticket
}

/** The name of the cookie that holds a ticket's binding: each ticket has its own, so that two tabs do not disturb each other. */
export function bindingCookie(config: Pick<Config, 'public_url'>, ticket: string): string {
  return `${cookiePrefix(config)}lb_ticket_${hashed(ticket).slice(0, 10)}`
}

/** The ticket, when it may still be used in this browser; ApiError 4100 otherwise. A used one comes back with `used_at`. */
export async function findTicket(
  { config }: Pick<App, 'config'>,
  db: Db,
  ticket: string,
  cookie: string,
  now: string,
): Promise<TicketRow> {
  const row = await db
    .selectFrom('tickets')
    .selectAll()
    .where('id_hash', '=', hashed(ticket))
    .executeTakeFirst()
  if (!row) throw spent('ticket unknown')
  if (row.used_at !== null) return row
  if (row.expires_at <= now) throw spent('ticket expired')
  if (row.binding_hash !== null) {
    const bound = readCookie(cookie, bindingCookie(config, ticket))
    if (bound === null || hashed(bound) !== row.binding_hash) throw spent('ticket of another browser')
  }
  return row
}

/** Uses it up and opens the session; null when it was used already: then the session it had opened is ended. */
export async function redeem(app: App, tx: Tx, row: TicketRow, user_agent: string): Promise<string | null> {
  const sid = newId()
  const won = await tx.db
    .updateTable('tickets')
    .set({ used_at: tx.at, sid })
    .where('id_hash', '=', row.id_hash)
    .where('used_at', 'is', null)
    .returning(['uid', 'receiver_id'])
    .executeTakeFirst()
  if (won) {
    const { uid, receiver_id } = won
    return openSession(app, tx, { uid, sid, device_label: deviceLabel(user_agent), receiver_id })
  }
  const first = await tx.db
    .selectFrom('tickets')
    .select(['uid', 'sid'])
    .where('id_hash', '=', row.id_hash)
    .executeTakeFirst()
  const opened = first?.sid
  if (first && opened && (await closeSession(tx, first.uid, opened)))
    tx.afterCommit(() => app.events.endSession(opened))
  return null
}

/** The refusal of a ticket that is over. */
export function spent(msg: string): ApiError {
  return new ApiError(4100, { msg, text: '這個登入連結已過期或不完整，請重新登入' })
}

/** The refusal of a second use. */
export function reused(): ApiError {
  return new ApiError(4100, {
    msg: 'ticket used before; the session it opened is ended',
    text: '這個登入連結已經用過。為了保護你，先前用它開啟的登入也已結束，請重新登入',
  })
}
