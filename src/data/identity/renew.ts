// Keeps the session alive: a token older than 24 h is exchanged for a new one (wire.md §1), and the worker's replica follows.
import { TOKEN_RENEW_AFTER_S } from '#contract/limits.ts'
import { renewToken } from '#contract/session.ts'
import type { Client } from '../client.ts'
import type { Clock } from '../clock.ts'
import type { SessionPort } from '../context.ts'
import { saveSession } from '../device/session-db.ts'

const LOOK_EVERY_MS = 3600_000

export interface RenewPorts {
  client: Client
  session: SessionPort
  clock: Clock
  /** Server's clock minus ours, ms. */
  offset_ms(): number
  /** The token's time is over, and the server could not be asked for another. */
  on_expired(): void
  report(error: unknown): void
}

export interface Renewal {
  /** Writes the replica again: another token or organization. */
  replicate(): Promise<void>
  /** The same look again: the device's clock says that the token's time is over. */
  look(): Promise<void>
  stop(): void
}

/** Looks now and every hour. A failure is no harm: the next look tries again, and a dead token shows as 401, or by its own time. */
export function keepRenewed(ports: RenewPorts): Renewal {
  const { client, session, clock, offset_ms, report } = ports
  let stopped = false
  let cancel = () => {}
  const replicate = async () => {
    const [token, claims] = [session.token(), session.claims()]
    if (stopped || token === null || !claims) return
    try {
      await saveSession({
        uid: claims.uid,
        token,
        exp: claims.exp,
        org_id: session.org_id(),
        clock_offset_ms: offset_ms(),
      })
    } catch (error) {
      report(error)
    }
  }
  const now_s = () => (clock.now() + offset_ms()) / 1000
  const once = async () => {
    cancel()
    const claims = session.claims()
    if (claims && now_s() - claims.iat > TOKEN_RENEW_AFTER_S) {
      try {
        const { access_token } = await client.call(renewToken, {})
        if (!stopped) session.renew(access_token)
      } catch (error) {
        report(error)
        // the answer, if there was one, told the server's time
        if (!stopped && claims.exp <= now_s()) return ports.on_expired()
      }
    }
    await replicate()
    if (!stopped) cancel = clock.after(LOOK_EVERY_MS, () => void look())
  }
  let looking: Promise<void> | null = null
  const look = () =>
    (looking ??= once().finally(() => {
      looking = null
    }))
  void look()
  return {
    replicate,
    look,
    stop() {
      stopped = true
      cancel()
    },
  }
}
