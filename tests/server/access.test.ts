// Every endpoint × every kind of caller × every organization header × whose thing it names, against an oracle of its own.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Endpoint, onlyReads, route } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { TRIALS } from '#tests/support/matrix.ts'
import {
  ACTORS,
  type ActorName,
  HEADERS,
  type HeaderName,
  isViewing,
  judge,
  TARGETS,
  type TargetName,
  type Verdict,
} from '#tests/support/oracle.ts'
import { fileQuery } from '#tests/support/people.ts'
import { FOR_APPLICATIONS, WHO } from '#tests/support/permissions.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { clientsFile } from '#tests/support/third-party.ts'
import { SOAK, sized } from '#tests/support/tier.ts'
import type { Trial } from '#tests/support/trial.ts'
import { type Undo, watchRows } from '#tests/support/undo.ts'
import { makeWorld, type World } from '#tests/support/world.ts'

/** What a call that may be made is never refused with. */
const DENIALS = new Set([4010, 4011, 4012, 4030, 4031, 4033, 4034, 4040, 6010])
/** Reads that have nothing to give here: of requests and links that nobody began. */
const EMPTY = new Set(['oauth.interaction', 'session.check-reset-token'])
/** Kept by reads for the next one: what can be computed from the records, and belongs to them. */
const KEPT_BY_READS = 'snapshots'
/** A call open to anybody asks nobody's name; some of them hash passwords, and so some callers stand for all. */
const ANYBODY: readonly ActorName[] = ['anonymous', 'tampered', 'ended', 'admin', 'application']
/** PostgreSQL runs the same code: what SQL decides is tried there again. */
const SLICE = {
  actors: [
    'owner',
    'admin',
    'member',
    'removed',
    'expired',
    'application',
    'viewing',
  ] as readonly ActorName[],
  headers: ['none', 'own', 'foreign'] as readonly HeaderName[],
}
/** Who acts in an organization, or did: under its header they come furthest; the others come furthest as persons. */
const INSIDE: readonly ActorName[] = [
  ...([
    'admin',
    'member',
    'admin-b',
    'member-b',
    'removed',
    'expired',
    'viewing',
    'viewing-stranger',
  ] as const),
]

/** Pictures first: what erases a strategy or its owner takes their files, and only rows can be laid back. */
const IN_ORDER = ENDPOINTS.toSorted(
  (a, b) => Number(b.name === 'strategy.image') - Number(a.name === 'strategy.image'),
)

interface Case {
  trial: Trial
  actor: ActorName
  header: HeaderName
  target: TargetName
  verdict: Verdict
}
const ALWAYS: Partial<Record<ActorName, TargetName>> = { admin: 'foreign', unverified: 'self' }

/**
 * One of a call and a caller: three times in four under the header by which the caller comes furthest, else under another one;
 * and about each owner's thing in turn, four in five a stranger's. What one caller does not try at a call, others do. Who may most
 * is no matter of turns: an admin goes by the own header to another organization's thing, an unproven person to the own one.
 */
function pick(cases: readonly Case[], turn: number): Case[] {
  const [{ actor = 'owner', target = 'nobody' } = {}] = cases
  const best = INSIDE.includes(actor) ? 'own' : 'none'
  const others = HEADERS.filter((header) => header !== best)
  const fixed = ALWAYS[actor]
  const header = turn % 4 === 3 && fixed === undefined ? others[(turn >> 2) % others.length] : best
  const turned = fixed ?? TARGETS[turn % TARGETS.length]
  const owner = target === 'nobody' ? target : turned
  return cases.filter((each) => each.header === header && each.target === owner)
}

/** The cases of an endpoint in this tier. */
function triedOf(endpoint: Endpoint, whole: boolean): Case[] {
  const cases = casesOf(endpoint, whole)
  if (SOAK) return cases
  const at = ENDPOINTS.indexOf(endpoint)
  const groups = Map.groupBy(cases, ({ trial, actor }) =>
    JSON.stringify([TRIALS[endpoint.name]?.indexOf(trial), actor]),
  )
  return [...groups.values()].flatMap((group, n) => pick(group, at + n))
}
function casesOf(endpoint: Endpoint, whole: boolean): Case[] {
  const callers = endpoint.who === 'public' ? ANYBODY : ACTORS
  const actors = callers.filter((one) => whole || SLICE.actors.includes(one))
  const headers = HEADERS.filter((one) => whole || SLICE.headers.includes(one))
  return (TRIALS[endpoint.name] ?? []).flatMap((trial) => {
    const targets: readonly TargetName[] = ['nothing', 'self', 'inbox'].includes(trial.names)
      ? ['nobody']
      : TARGETS
    const kind = trial.names === 'nothing' ? 'context' : trial.names
    return actors.flatMap((actor) =>
      headers.flatMap((header) =>
        targets.map((target) => {
          const verdict = judge(endpoint, actor, header, target, kind)
          return { trial, actor, header, target, verdict }
        }),
      ),
    )
  })
}

test('every call takes the permission, and has the scope, that stands in the pages', () => {
  const said = Object.fromEntries(ENDPOINTS.map(({ name, who }) => [name, who]))
  expect(said, 'written a second time in tests/support/permissions.ts').toEqual(Object.fromEntries(WHO))
  const open = ENDPOINTS.filter(({ scope }) => scope !== undefined).map(({ name }) => name)
  expect(new Set(open)).toEqual(FOR_APPLICATIONS)
})

// spec §1: Server behaviour is not shown.
// spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
test('every endpoint is in the matrix, and the matrix names no other', () => {
  const called = ENDPOINTS.map(({ name }) => name)
  const untried = called.filter((name) => !(name in TRIALS))
  expect(
    untried,
    'each has a valid input in tests/support/matrix*.ts; what it names stands in world.ts',
  ).toEqual([])
  expect(Object.keys(TRIALS).filter((name) => !called.includes(name))).toEqual([])
})

describeEngines('access', (engine) => {
  let server: TestServer
  let world: World
  let rows: Undo
  let probes = 0
  let taken = 0

  beforeAll(async () => {
    // The clock stands still: that a session was seen is noted only every few minutes.
    const at = Date.now()
    server = await startServer({
      engine,
      env: { OAUTH_CLIENTS: clientsFile() },
      overrides: { now: () => at },
    })
    world = await makeWorld(server)
    await server.app.notifier.catchUp()
    rows = await watchRows(server.app.db, engine)
  })
  afterAll(() => server.close())

  async function send(endpoint: Endpoint, { trial, actor, header, target }: Case) {
    const { path, rest } = route(endpoint, trial.input(world.things(actor, target)))
    const headers = new Headers(world.headers(actor, header))
    const known = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null)
    const query = new URLSearchParams(known.map(([name, value]) => [name, String(value)]))
    const reads = endpoint.method === 'GET'
    const { body = 'json' } = endpoint
    const bytes = body === 'json' ? null : (rest[body] as Uint8Array<ArrayBuffer>)
    headers.set('content-type', bytes ? 'application/octet-stream' : 'application/json')
    const asked = body === 'file' ? fileQuery(rest) : reads && query.size > 0 ? `?${query}` : ''
    const answer = await server.dispatch(`/api/v1${path}${asked}`, {
      method: endpoint.method,
      headers,
      ...(!reads && { body: bytes ?? JSON.stringify(rest) }),
    })
    const { status } = answer
    if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
      await answer.body?.cancel()
      return { status, code: 0, text: '' }
    }
    const text = await answer.text()
    if (answer.headers.has('content-disposition')) return { status, code: 0, text }
    return { status, code: (JSON.parse(text) as { error: { code: number } }).error.code, text }
  }

  /** What is wrong with the answer to one case. */
  async function probe(endpoint: Endpoint, one: Case): Promise<string[]> {
    const { status, code, text } = await send(endpoint, one)
    const { verdict } = one
    const faults = world.strange(text, one.actor, verdict.sees).map((mark) => `tells of ${mark}`)
    // What was deleted for good goes after the answer: the next case is not to blame for it.
    await server.app.jobs.settled('erase')
    // Who looks at what a member sees is noted.
    const noted = isViewing(one.actor) ? 'access_changes' : null
    const written = await rows.changed()
    if (written.length > 0) await rows.back()
    // Misses at codes and links are counted whoever asks, in a read, too.
    const changed = written.filter((table) => table !== noted && table !== 'guesses')
    probes++
    if (verdict.code === 0) {
      taken++
      const reads = onlyReads(endpoint, one.trial.input(world.things(one.actor, one.target)))
      if (status >= 500 || DENIALS.has(code) || (reads && code !== 0 && !EMPTY.has(endpoint.name)))
        faults.push(`is refused with ${code}`)
      if (one.trial.succeeds && code !== 0) faults.push(`is answered with ${code} instead of success`)
      const other = changed.filter((table) => table !== KEPT_BY_READS)
      if (reads && other.length > 0) faults.push(`a read changed ${other}`)
      if (endpoint.name === 'signal.feed' && one.target === 'nobody')
        faults.push(...world.missing(text, one.actor, verdict.sees).map((mark) => `hides ${mark}`))
    } else {
      if (code !== verdict.code || (code !== 6010 && status !== Math.floor(code / 10)))
        faults.push(`answers ${status}/${code} instead of ${verdict.code}`)
      if (changed.length > 0) faults.push(`is refused and changed ${changed}`)
    }
    const { actor, header, target } = one
    return faults.map((fault) => `${actor}, header ${header}, thing of ${target}: ${fault}`)
  }

  // spec §1: Audiences are personal users, organization admins and organization members.
  // spec §6: Personal: strategy view/create/edit/delete, organization view, organization create.
  // spec §6: Organization admin: strategy view/create/edit/delete, organization view/edit/delete/manage,…
  // spec §6: Organization member: strategy view, organization view, group view, organization announcements…
  test.each(IN_ORDER.map((endpoint) => ({ name: endpoint.name, endpoint })))(
    '$name: whoever may is not refused and sees what is theirs; nobody else changes or learns anything',
    async ({ endpoint }) => {
      const faults: string[] = []
      for (const one of triedOf(endpoint, engine === 'sqlite')) faults.push(...(await probe(endpoint, one)))
      expect(faults).toEqual([])
    },
  )

  test('the matrix is no small one', () => {
    console.info(`access (${engine}): ${probes} probes, ${taken} of them taken`)
    expect(probes).toBeGreaterThanOrEqual(engine === 'sqlite' ? sized(2_000, 45_000) : 8_000)
    expect(taken).toBeGreaterThanOrEqual(probes / 20)
  })
})
