// The cookie of a browser that signed in before: it opens nothing, it only says that this one is no stranger to the account,
// so that what strangers guess does not count against it.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { App } from '../context.ts'
import { readCookie } from '../http/cookie.ts'
import { cookiePrefix } from '../http/secure.ts'

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
      ?.toString('base64url') ?? null
  )
}

/** The Set-Cookie line after a sign-in: a fresh mark each time, in the place of the account's old one. */
export function rememberDevice(app: Signer, account: string, cookie: string): string {
  const head = Buffer.alloc(ID + TIME)
  randomBytes(ID).copy(head)
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
