// Does the time of an answer, or of the request that comes right after it, tell who has an account? Known and unknown addresses in
// turns, compared by their ranks (threat T16).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cancelInvite, createInvites, getInvite } from '#contract/join.ts'
import { createOrganization } from '#contract/organization.ts'
import { updateEmail } from '#contract/profile.ts'
import { forgetPassword, login, register } from '#contract/session.ts'
import { PASSWORD, type Person, send, signUp } from '#tests/support/people.ts'
import { type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { report } from './figures.ts'
import { type Compared, compareRanks } from './ranks.ts'

/** Pairs of each kind. */
const PAIRS = Number(process.env['PAIRS'] ?? 1_000)
/** ONLY=login,register measures these. */
const ONLY = process.env['ONLY']?.split(',')
const WARM_UP = 20

/** `ask` is measured, and then what follows at once; `after` puts things back, unmeasured. */
interface Attempt {
  ask: () => Promise<Response>
  after?: () => Promise<unknown>
}
type Both = Record<'known' | 'unknown', Attempt>

async function took(ask: () => Promise<Response>): Promise<number> {
  const from = performance.now()
  await (await ask()).text()
  return performance.now() - from
}

/** In an order that changes, so that whatever else the machine does hits both alike. */
async function compare(
  both: Both,
  next: () => Promise<Response>,
): Promise<{ answer: Compared; next: Compared }> {
  const answers = { known: [] as number[], unknown: [] as number[] }
  const nexts = { known: [] as number[], unknown: [] as number[] }
  for (let i = -WARM_UP; i < PAIRS; i++)
    for (const kind of Math.random() < 0.5
      ? (['known', 'unknown'] as const)
      : (['unknown', 'known'] as const)) {
      const { ask, after } = both[kind]
      const [answer_ms, next_ms] = [await took(ask), await took(next)]
      if (i >= 0) {
        answers[kind].push(answer_ms)
        nexts[kind].push(next_ms)
      }
      await after?.()
      // What one left to do is done before the other begins.
      await new Promise((go) => setTimeout(go, 10))
    }
  return {
    answer: compareRanks(answers.known, answers.unknown),
    next: compareRanks(nexts.known, nexts.unknown),
  }
}

/** Pairs of calls that must not differ: the address has an account, or has none. */
async function ways(server: SpawnedServer, owner: Person, caller: Person): Promise<Record<string, Both>> {
  let n = 0
  const fresh = () => `nobody-${process.pid}-${++n}@example.com`
  const form = (email: string) => ({ account: email, email, name: '人', password: PASSWORD })
  const authorization = `Bearer ${caller.token}`
  const change = (new_email: string) =>
    send(server, updateEmail, { new_email, password: PASSWORD }, { authorization })
  const { id } = await caller.call(createOrganization, { name: '量時間的社' })
  const inside = { authorization, 'lb-org-id': id }
  const inviting = (email: () => string): Attempt => {
    let invite_id = ''
    return {
      async ask() {
        const answer = await send(server, createInvites, { id, emails: [email()] }, inside)
        const { result } = (await answer.clone().json()) as { result: [{ invite: { id: string } }] }
        invite_id = result[0].invite.id
        return answer
      },
      after: () => send(server, cancelInvite, { id, invite_id }, inside).then((answer) => answer.text()),
    }
  }
  return {
    login: {
      known: { ask: () => send(server, login, { account: owner.email, password: 'wrong' }) },
      unknown: { ask: () => send(server, login, { account: fresh(), password: 'wrong' }) },
    },
    forgot: {
      known: { ask: () => send(server, forgetPassword, { email: owner.email }) },
      unknown: { ask: () => send(server, forgetPassword, { email: fresh() }) },
    },
    register: {
      known: { ask: () => send(server, register, form(owner.email)) },
      unknown: { ask: () => send(server, register, form(fresh())) },
    },
    invite: { known: inviting(() => owner.email), unknown: inviting(fresh) },
    // Both are refused with the same bytes: somebody else's address, and the own one.
    email: { known: { ask: () => change(owner.email) }, unknown: { ask: () => change(caller.email) } },
  }
}

/** npm run bench -- enumeration */
export async function enumeration(): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-enumeration-'))
  const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error', LIMIT_FACTOR: '1000000' } })
  try {
    const [owner, caller] = [await signUp(server, '有帳號'), await signUp(server, '問的人')]
    const next = () => send(server, getInvite, { code: 'a'.repeat(43) })
    for (const [what, both] of Object.entries(await ways(server, owner, caller))) {
      if (ONLY && !ONLY.includes(what)) continue
      const found = await compare(both, next)
      for (const [part, one] of Object.entries(found)) {
        const { known_ms, unknown_ms, difference_ms, p, alike } = one
        report(
          `enumeration-${what}-${part}`,
          `${alike ? 'alike' : 'TOLD APART'}: with an account ${known_ms} ms, without ${unknown_ms} ms, difference of medians ${difference_ms} ms, p ${p} (${PAIRS} pairs)`,
          { ...one, pairs: PAIRS },
        )
      }
    }
  } finally {
    await server.stop()
    rmSync(data_dir, { recursive: true, force: true })
  }
}
