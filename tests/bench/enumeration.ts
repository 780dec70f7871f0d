// Does the time of an answer tell who has an account? Two kinds of addresses in turns, compared by Welch's t-test (T16).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { updateEmail } from '#contract/profile.ts'
import { forgetPassword, login, register } from '#contract/session.ts'
import { PASSWORD, type Person, send, signUp } from '#tests/support/people.ts'
import { type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { report, round } from './figures.ts'

/** Samples of each kind; quality.md asks for 2,000. */
const SAMPLES = Number(process.env['SAMPLES'] ?? 2_000)
const WARM_UP = 20

interface Compared {
  known_ms: number
  unknown_ms: number
  difference_ms: number
  t: number
  p: number
}

/** Both kinds alternately, in an order that changes, so that whatever else the machine does hits both alike. */
async function compare(known: () => Promise<Response>, unknown: () => Promise<Response>): Promise<Compared> {
  const took = { known: [] as number[], unknown: [] as number[] }
  for (let i = -WARM_UP; i < SAMPLES; i++)
    for (const kind of Math.random() < 0.5
      ? (['known', 'unknown'] as const)
      : (['unknown', 'known'] as const)) {
      const from = performance.now()
      const answer = await (kind === 'known' ? known : unknown)()
      await answer.text()
      const ms = performance.now() - from
      if (i >= 0) took[kind].push(ms)
      // Mails of the last one are written meanwhile, not during the next one.
      await new Promise((next) => setTimeout(next, 5))
    }
  return welch(trimmed(took.known), trimmed(took.unknown))
}

/** Without the slowest twentieth: pauses of the machine are not the server's. */
function trimmed(samples: readonly number[]): number[] {
  return samples.toSorted((a, b) => a - b).slice(0, Math.ceil(samples.length * 0.95))
}

/** Two-sided; with hundreds of samples t is as good as normal. */
function welch(a: readonly number[], b: readonly number[]): Compared {
  const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length
  const variance = (list: readonly number[], m: number) =>
    list.reduce((sum, one) => sum + (one - m) ** 2, 0) / (list.length - 1)
  const [ma, mb] = [mean(a), mean(b)]
  const error = Math.sqrt(variance(a, ma) / a.length + variance(b, mb) / b.length)
  const t = (ma - mb) / error
  return {
    known_ms: round(ma),
    unknown_ms: round(mb),
    difference_ms: round(ma - mb),
    t: round(t),
    p: round(2 * (1 - normal(Math.abs(t)))),
  }
}

/** The normal distribution function (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function normal(x: number): number {
  const k = 1 / (1 + 0.2316419 * x)
  const tail = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = tail.reduce((total, factor, i) => total + factor * k ** (i + 1), 0)
  return 1 - (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum
}

/** Pairs of calls that must not differ: the address has an account, or has none. */
function pairs(server: SpawnedServer, owner: Person, caller: Person) {
  let n = 0
  const fresh = () => `nobody-${process.pid}-${++n}@example.com`
  const form = (email: string) => ({ account: email, email, name: '人', password: PASSWORD })
  const authorization = `Bearer ${caller.token}`
  const change = (new_email: string) =>
    send(server, updateEmail, { new_email, password: PASSWORD }, { authorization })
  return {
    login: [
      () => send(server, login, { account: owner.email, password: 'wrong' }),
      () => send(server, login, { account: fresh(), password: 'wrong' }),
    ],
    forgot: [
      () => send(server, forgetPassword, { email: owner.email }),
      () => send(server, forgetPassword, { email: fresh() }),
    ],
    register: [() => send(server, register, form(owner.email)), () => send(server, register, form(fresh()))],
    // Both are refused with the same bytes: somebody else's address, and the own one.
    email: [() => change(owner.email), () => change(caller.email)],
  } satisfies Record<string, [() => Promise<Response>, () => Promise<Response>]>
}

/** npm run bench -- enumeration */
export async function enumeration(): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-enumeration-'))
  const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error', LIMIT_FACTOR: '1000000' } })
  try {
    const owner = await signUp(server, '有帳號', { verify: false })
    const caller = await signUp(server, '問的人', { verify: false })
    for (const [what, [known, unknown]] of Object.entries(pairs(server, owner, caller))) {
      const found = await compare(known, unknown)
      report(
        `enumeration-${what}`,
        `${what}: with an account ${found.known_ms} ms, without ${found.unknown_ms} ms, difference ${found.difference_ms} ms, t ${found.t}, p ${found.p} (${SAMPLES} each)`,
        { ...found, samples: SAMPLES },
      )
    }
  } finally {
    await server.stop()
    rmSync(data_dir, { recursive: true, force: true })
  }
}
