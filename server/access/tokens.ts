// Access tokens: JWT, one algorithm, one key; worth nothing without their session row.
import { hash } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { isId } from '#contract/ids.ts'
import { TOKEN_LIFE_S } from '#contract/limits.ts'
import type { TokenClaims } from '#contract/session.ts'
import type { App, Tx } from '../context.ts'

const ALGORITHM = 'HS256'
const ISSUER = 'lingbo'
const AUDIENCE = 'lingbo-app'

/** A token of the session, valid for 30 days from now but not beyond `ends_at`; also gives its claims. */
export async function signToken(
  app: Pick<App, 'keys' | 'now'>,
  uid: string,
  sid: string,
  ends_at: string,
): Promise<{ token: string; claims: TokenClaims }> {
  const iat = Math.floor(app.now() / 1_000)
  const exp = Math.min(iat + TOKEN_LIFE_S, Math.floor(Date.parse(ends_at) / 1_000))
  const claims = { uid, sid, iat, exp }
  const token = await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .sign(app.keys.jwt)
  return { token, claims }
}

/** Signatures looked at already; those used longest ago are looked at again. */
const CHECKED_MOST = 10_000
/** By key, then by the token's hash: a signature stays right. Whether it may still be used is asked on every call. */
const checked = new WeakMap<App['keys'], Map<string, TokenClaims>>()

/** The claims of a token that is ours and not expired, else null. */
export async function readToken(app: Pick<App, 'keys' | 'now'>, token: string): Promise<TokenClaims | null> {
  const known = checkedBefore(app, token)
  if (known) return known.exp * 1_000 > app.now() ? known : null
  const claims = await verify(app, token)
  if (claims) keep(checkedWith(app), hash('sha256', token), claims)
  return claims
}

/** What a token says whose signature was found right before; whether its time is over is not looked at. */
export function checkedBefore(app: Pick<App, 'keys'>, token: string): TokenClaims | undefined {
  const known = checkedWith(app)
  const id = hash('sha256', token)
  const claims = known.get(id)
  if (claims) keep(known, id, claims)
  return claims
}

function checkedWith({ keys }: Pick<App, 'keys'>): Map<string, TokenClaims> {
  const known = checked.get(keys) ?? new Map<string, TokenClaims>()
  checked.set(keys, known)
  return known
}

function keep(known: Map<string, TokenClaims>, id: string, claims: TokenClaims): void {
  known.delete(id)
  known.set(id, claims)
  if (known.size > CHECKED_MOST) known.delete(known.keys().next().value as string)
}

async function verify(app: Pick<App, 'keys' | 'now'>, token: string): Promise<TokenClaims | null> {
  try {
    const { payload } = await jwtVerify(token, app.keys.jwt, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: 'JWT',
      requiredClaims: ['exp', 'iat', 'uid', 'sid'],
      currentDate: new Date(app.now()),
    })
    const { uid, sid, iat = 0, exp = 0 } = payload
    if (typeof uid !== 'string' || typeof sid !== 'string' || !isId(uid) || !isId(sid)) return null
    // We write whole seconds and thirty days at most: a token that says otherwise is not one we wrote.
    if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp) || exp - iat > TOKEN_LIFE_S) return null
    return { uid, sid, iat, exp }
  } catch {
    // Whatever is wrong with it, the caller hears one thing: not valid.
    return null
  }
}

// An address becomes proven: by the code of a letter, or by answering with a link that was mailed to it alone (ruling C44).

/**
 * Says that the person reads this mailbox, and forgets that letters to it were ever refused. False, and nothing is proven, when the
 * account has another address by now: it may have been changed since the call began.
 */
export async function proveAddress(tx: Tx, uid: string, email: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('users')
    .set({ email_verified: 1, updated_at: tx.at })
    .where('id', '=', uid)
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  // A letter was read there: it exists, whatever was said before.
  await tx.db.deleteFrom('lost_mailboxes').where('uid', '=', uid).execute()
  await tx.append(`p:${uid}`, 'profile', { change: 'email_verified' })
  return true
}
