// The floors inside server/: who stands above whom, who may ask whom beside it, no circle anywhere, and no file too far from the ground (docs/decisions/041).
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Arrow, addedBy, arrowsOf, partOf } from './support/arrows.ts'
import { circlesOf } from './support/circles.ts'
import { files, importsThatRun, ROOT, target } from './support/sources.ts'

/** From the top down: a part uses what stands on its own floor or below it, also for types (docs/decisions/041). */
const FLOORS: readonly (readonly string[])[] = [
  // what starts, and the list of everything
  ['main', 'app', 'listen', 'check', 'housekeeping', 'failing', 'cli', 'seed', 'demo', 'backup'],
  // who brings and who asks
  [
    ...[
      'announcement',
      'contact',
      'dashboard',
      'file',
      'group',
      'ingest',
      'invitation',
      'join',
      'market',
      'membership',
      'notify',
      'oidc',
      'organization',
    ],
    ...['profile', 'session', 'signal', 'sso', 'strategy', 'stream', 'webhook'],
  ],
  // what makes and appends a record, whoever brings it
  ['record'],
  // who calls, and who may see what on which day; no HTTP in it
  ['access'],
  // transport only
  ['http'],
  // what is numbered, stored and told after a commit
  ['events'],
  // the ground
  [
    ...['background', 'believed', 'config', 'context', 'db', 'ids', 'key-file', 'keys', 'mail', 'midnight'],
    ...['few-at-once', 'make-folder', 'once', 'outgoing', 'parts', 'secrets', 'vapid'],
  ],
]
/** Parts on the floor of the nouns that ask another one there, each for a reason; what is not here goes through a floor below. */
const BESIDE: Record<string, readonly string[]> = {
  dashboard: ['announcement', 'invitation', 'strategy'], // one page of what they show
  invitation: ['join'], // one call tells what stands behind a code of any kind
  notify: ['invitation', 'sso', 'stream'], // an invitation that is over alarms nobody; a bot's link signs in by a ticket; events are read whole, as the stream tells them
  organization: ['file', 'profile'], // its logo; its room is counted as a person's is
  profile: ['file', 'ingest', 'session', 'signal'], // picture; refused messages in its room; its sign-ins; its records as files
  session: ['invitation', 'oidc'], // a link from the mailbox proves the mailbox; grants end with the password
  signal: ['ingest', 'notify'], // what is entered by hand is read by the strategy's own terms, as its messages are; its timeline ends with notification deliveries
  sso: ['oidc', 'session'], // the rows of both are kept alike; it ends in a session
  strategy: ['file', 'ingest', 'webhook'], // pictures of its note; made with its first webhook
  stream: ['ingest'], // deliveries are told as they are shown
  webhook: ['ingest'], // a mapping is tried by the reader itself
}
/** Doors without calls of the contract: files, webhooks, the stream. */
const DOORS = ['file', 'ingest', 'stream']
/** Parts that are called otherwise in the other rooms. */
const CALLED: Record<string, string> = { notify: 'notification', oidc: 'oauth' }

/** Files one under the other from a command to the ground, as each loads the next; what is imported for its types does not count. */
const DEEPEST = 17

const part = (path: string) => partOf('server/', path)
const floor = (name: string) => FLOORS.findIndex((names) => names.includes(name))

/** Uses of what stands above, or beside without a reason. */
const wrongOf = (arrows: readonly Arrow[]) =>
  arrows
    .filter(
      ({ from, to }) =>
        floor(from) > floor(to) || (floor(from) === 1 && floor(to) === 1 && !BESIDE[from]?.includes(to)),
    )
    .map(({ path, to }) => `${path} uses ${to}: ask record/ or access/, or join the two in app.ts`)

function circlesBetween(arrows: readonly Arrow[]): string[] {
  const below = new Map<string, Set<string>>()
  for (const { from, to } of arrows) below.set(from, (below.get(from) ?? new Set()).add(to))
  return circlesOf(below)
}

describe('the floors of the server', () => {
  const arrows = arrowsOf('server/', files)

  test('every part stands on one', () => {
    const parts = new Set(
      files.filter(({ path }) => path.startsWith('server/')).map(({ path }) => part(path)),
    )
    const nowhere = [...parts]
      .filter((name) => floor(name) < 0)
      .map((name) => `server/${name}: write it into FLOORS of this file; a noun stands on the second`)
    expect(nowhere).toEqual([])
  })
  test('a noun has its addresses in every room', () => {
    const missing = (FLOORS[1] ?? [])
      .filter((name) => !DOORS.includes(name))
      .map((name) => [name, CALLED[name] ?? name])
      .flatMap(([part, noun]) => [
        `contract/${noun}.ts`,
        `server/${part}/routes.ts`,
        `src/data/nouns/${noun}.ts`,
      ])
      .filter((path) => !existsSync(join(ROOT, path)))
    expect(missing).toEqual([])
  })
  test('every migration is one of those that run', () => {
    const listed = files.find(({ path }) => path === 'server/db/migrate.ts')?.text ?? ''
    const forgotten = files
      .map(({ path }) => /^server\/db\/migrations\/(.+)\.ts$/.exec(path)?.[1])
      .filter((name) => name && !(listed.includes(`'${name}':`) && listed.includes(`/${name}.ts'`)))
      .map((name) => `${name}: import it in server/db/migrate.ts and write it into MIGRATIONS`)
    expect(forgotten).toEqual([])
    const numbers = [...listed.matchAll(/'(\d{3})-[\w-]+':/g)].map(([, number]) => number)
    const twice = numbers.filter((number, at) => numbers.indexOf(number) < at)
    expect(twice, 'the later one takes the next free number').toEqual([])
  })
  test('nothing uses what is above it, nor what is beside it without a reason', () => {
    expect(wrongOf(arrows)).toEqual([])
  })
  test('no circle between parts, also none by types', () => {
    expect(circlesBetween(arrows)).toEqual([])
  })
  test('what goes up, or round, is found: by an import, by a type, and by what another part adds to App', () => {
    const intake = {
      path: 'server/ingest/intake.ts',
      text: "import { fold } from '../record/fold.ts'\n\ndeclare module '../context.ts' {\n  interface App {\n    /** It. */\n    readonly intake: Intake\n  }\n}\n",
    }
    const up = [
      "import { Intake } from '../ingest/intake.ts'",
      "import type { Intake } from '../ingest/intake.ts'",
      'const known = app.intake.ledger.peek(row)',
      'const known = this.#app().intake.peek(row)',
      "type Around = Pick<App, 'db' | 'intake'>",
      "type Around = Pick<\n  App,\n  | 'db'\n  | 'intake'\n>",
      "const seen = new WeakMap<App['intake'], number>()",
      'function look({ db, intake }: App): void {}',
      '    const { db, intake } = this.#app()\n',
      'const look = (parts: App) => parts.intake.peek()',
    ]
    for (const text of up) {
      const arrows = arrowsOf('server/', [intake, { path: 'server/record/open.ts', text }])
      expect(wrongOf(arrows), text).toEqual([
        'server/record/open.ts uses ingest: ask record/ or access/, or join the two in app.ts',
      ])
      expect(circlesBetween(arrows), text).toEqual(['ingest → record → ingest'])
    }
    const beside = arrowsOf('server/', [intake, { path: 'server/group/rules.ts', text: 'app.intake.busy' }])
    expect(wrongOf(beside)).toHaveLength(1)
    const down = arrowsOf('server/', [intake, { path: 'server/app.ts', text: 'app.intake.busy' }])
    expect(wrongOf(down)).toEqual([])
    // what is said of something else, or to a variable of that name, is none
    const other = arrowsOf('server/', [
      intake,
      { path: 'server/record/open.ts', text: "row.intake.peek()\nconst { intake } = rows\n'app'" },
    ])
    expect(other).toHaveLength(1)
  })
  test('whatever a part adds to App is read', () => {
    const adding = files.filter(
      ({ path, text }) => path.startsWith('server/') && /^declare module '/m.test(text),
    )
    expect(adding.length).toBeGreaterThan(10)
    expect(adding.filter((one) => addedBy('server/', one).length === 0).map(({ path }) => path)).toEqual([])
    const members = adding.flatMap((one) => addedBy('server/', one).map(({ member }) => member))
    expect(members.toSorted()).toEqual([...new Set(members)].toSorted())
  })
  test('who may see what is no matter of transport: record/ and access/ use nothing of http/', () => {
    const above = ['record', 'access']
    const wrong = [
      ...arrows.filter(({ from, to }) => above.includes(from) && to === 'http').map(({ path }) => path),
      ...files
        .filter(({ path }) => path.startsWith('server/') && above.includes(part(path)))
        .filter(({ text }) => /from '(node:http|hono|@hono)/.test(text))
        .map(({ path }) => path),
    ]
    expect(wrong).toEqual([])
  })
  test('what is allowed beside one another is used', () => {
    const used = (from: string, to: string) => arrows.some((arrow) => arrow.from === from && arrow.to === to)
    const idle = Object.entries(BESIDE).flatMap(([from, all]) =>
      all.filter((to) => !used(from, to)).map((to) => `${from} → ${to}`),
    )
    expect(idle).toEqual([])
  })
  test('no chain of files that load each other is longer than seventeen', () => {
    const below = new Map(
      files
        .filter(({ path }) => path.startsWith('server/'))
        .map(({ path, text }) => [path, importsThatRun(text).map((spec) => target(path, spec))]),
    )
    const known = new Map<string, readonly string[]>()
    const chain = (path: string, way: readonly string[]): readonly string[] => {
      const found = known.get(path)
      if (found) return found
      if (way.includes(path)) throw new Error(`a circle of files: ${[...way, path].join(' → ')}`)
      const ours = (below.get(path) ?? []).filter((to) => to !== null && below.has(to)) as string[]
      const rest = ours.map((to) => chain(to, [...way, path]))
      const longest = [path, ...rest.reduce((a, b) => (b.length > a.length ? b : a), [])]
      known.set(path, longest)
      return longest
    }
    const long = [...below.keys()]
      .map((path) => chain(path, []))
      .filter(({ length }) => length > DEEPEST)
      .map((files) => `${files.length} files, let app.ts hand one of them in: ${files.join(' → ')}`)
    expect(long.sort().slice(-1)).toEqual([])
  })
})
