// A device for the tests of src/data: clock, storage, session, network state, locks and tabs, each as the ports want them.
import type { TokenClaims } from '#contract/session.ts'
import type { Clock } from '#data/clock.ts'
import type { SessionPort, StorageLike } from '#data/context.ts'
import type { DataPorts } from '#data/start.ts'

/** Time stands still but for `advance`; timers up to `quick_ms` run at once (in a later turn). */
export function testClock(quick_ms = 0): Clock & { advance(ms: number): void; waiting(): number[] } {
  // Near the real one: servers measure how far a device's clock is off.
  let now = Date.now()
  let timers: { at: number; work: () => void }[] = []
  return {
    now: () => now,
    after(ms, work) {
      if (ms <= quick_ms) {
        const timer = setTimeout(work, 1)
        return () => clearTimeout(timer)
      }
      const timer = { at: now + ms, work }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        const next = timers.toSorted((a, b) => a.at - b.at)[0]
        if (!next || next.at > end) break
        timers = timers.filter((other) => other !== next)
        now = next.at
        next.work()
      }
      now = end
    },
    waiting: () => timers.map(({ at }) => at - now),
  }
}

export function memoryStorage(): StorageLike & { all(): Record<string, string> } {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      values.set(key, value)
    },
    removeItem: (key) => {
      values.delete(key)
    },
    all: () => Object.fromEntries(values),
  }
}

/** A token as the server makes them, but for the signature, which no browser checks. */
export function token(claims: Partial<TokenClaims>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'ES256' })}.${part(claims)}.c2ln`
}

/** The session of one tab over a storage that all tabs share, as src/state/session.ts does it for the page. */
export function tabSession(storage: StorageLike): SessionPort & { sign_in(uid: string, iat?: number): void } {
  const read = (): TokenClaims | null => {
    const text = storage.getItem('token')
    return text === null
      ? null
      : (JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()) as TokenClaims)
  }
  let uid = read()?.uid ?? null
  let org_id = storage.getItem('currentOrganizationId')
  return {
    sign_in(given, iat = Math.floor(Date.now() / 1000)) {
      storage.setItem('token', token({ uid: given, sid: 's', iat, exp: iat + 30 * 86_400 }))
      uid = given
      org_id = null
    },
    token: () => (uid === null ? null : storage.getItem('token')),
    uid: () => uid,
    user: () => (uid === null ? null : { id: uid }),
    org_id: () => org_id,
    claims: read,
    renew: (access_token) => storage.setItem('token', access_token),
    set_organization(id) {
      org_id = id
      if (id === null) storage.removeItem('currentOrganizationId')
      else storage.setItem('currentOrganizationId', id)
    },
    forget() {
      uid = null
      org_id = null
    },
    clear() {
      storage.removeItem('token')
      storage.removeItem('currentOrganizationId')
      uid = null
      org_id = null
    },
  }
}

/** navigator.locks of one browser: first come, first served. */
export function browserLocks(): NonNullable<DataPorts['locks']> {
  let line: Promise<unknown> = Promise.resolve()
  return {
    request(_name, { signal }, work) {
      const turn = line.then(() => {
        if (signal.aborted) throw new DOMException('aborted', 'AbortError')
        return work()
      })
      line = turn.catch(() => undefined)
      return turn
    },
  }
}

/** BroadcastChannel of one browser: everybody but the sender hears it, in a later turn. */
export function browserChannels(): DataPorts['channel'] {
  type Ear = { onmessage: ((event: { data: unknown }) => void) | null }
  const ears = new Set<Ear>()
  return () => {
    const own = {
      onmessage: null as Ear['onmessage'],
      postMessage(message: unknown) {
        const copy: unknown = structuredClone(message)
        setTimeout(() => {
          for (const ear of ears) if (ear !== own) ear.onmessage?.({ data: copy })
        })
      },
      close: () => {
        ears.delete(own)
      },
    }
    ears.add(own)
    return own
  }
}

/** Resolves when `test` holds; fails after five seconds with its last value. */
export async function until<T>(test: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + 60_000
  for (;;) {
    const value = await test()
    if (value) return value
    if (performance.now() > end) throw new Error(`never happened: ${test.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
