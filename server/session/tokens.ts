// Access tokens: JWT, one algorithm, one key; worth nothing without their session row.
import { jwtVerify, SignJWT } from 'jose'
import { isId } from '#contract/ids.ts'
import { TOKEN_LIFE_S } from '#contract/limits.ts'
import type { TokenClaims } from '#contract/session.ts'
import type { App } from '../context.ts'

const ALGORITHM = 'HS256'
const ISSUER = 'lingbo'
const AUDIENCE = 'lingbo-app'

/** A token of the session, valid for 30 days from now; also gives its claims. */
export async function signToken(
  app: Pick<App, 'keys' | 'now'>,
  uid: string,
  sid: string,
): Promise<{ token: string; claims: TokenClaims }> {
  const iat = Math.floor(app.now() / 1_000)
  const claims = { uid, sid, iat, exp: iat + TOKEN_LIFE_S }
  const token = await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .sign(app.keys.jwt)
  return { token, claims }
}

/** The claims of a token that is ours and not expired, else null. */
export async function readToken(app: Pick<App, 'keys' | 'now'>, token: string): Promise<TokenClaims | null> {
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
