// The walls of the house: who may import whom, and what may stand in one place only. Besides, Biome finds circles of files, `any` and
// React in src/data (biome.json), and the compiler finds the DOM there (tsconfig.worker.json).
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHANNELS } from '#contract/channels.ts'
import { QUEUED } from '#contract/outbox.ts'
import { BY_HAND, NAMING } from '#data/nouns/waiting.ts'
import { TOKENS } from '#server/brand.ts'
import { STRATEGY_KINDS } from '#trading/record.ts'
import { GUARDS } from './guards/list.ts'
import { PAGES, written } from './report/proof.ts'
import { circlesOf, files, imports, ROOT } from './support/sources.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** What of the repository may be painted, besides its sources. */
const everyFile = () => [
  'index.html',
  ...['src', 'server', 'sw', 'contract', 'trading', 'public'].flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`),
  ),
]

/** The room a path stands in: src has rooms of its own, and what stands in none of them puts them together as the routes do. */
function roomOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  if (first !== 'src') return first
  return ['data', 'state', 'text', 'ui', 'screen', 'features'].includes(second) ? second : 'routes'
}
const featureOf = (path: string) => /^src\/features\/[^/]+\//.exec(path)?.[0]

/** What each room may import. */
const MAY: Record<string, readonly string[]> = {
  trading: [],
  contract: ['trading'],
  server: ['contract', 'trading'],
  data: ['contract', 'trading'],
  state: ['contract'],
  text: ['contract', 'trading'],
  ui: ['text'],
  // what every screen uses: going somewhere, failures, messages, data, the identity that acts
  screen: ['ui', 'data', 'state', 'text', 'contract', 'trading'],
  features: ['screen', 'ui', 'data', 'state', 'text', 'contract', 'trading'],
  routes: ['features', 'screen', 'ui', 'data', 'state', 'text', 'contract', 'trading'],
  sw: ['data', 'text', 'contract', 'trading'],
}

/** The server from the top down: a part uses what stands on its own floor or below it, also for types. */
const SERVER = [
  // what starts, and the list of everything
  'main app job-kinds listen check housekeeping start-errors cli seed demo backup',
  // who brings and who asks
  'announcement dashboard file group ingest invitation join market membership notify oidc organization ' +
    'profile session signal sso strategy stream webhook',
  // what makes and appends a record, whoever brings it
  'record',
  // who calls, and who may see what on which day
  'access',
  // what is done later, again, or at a time
  'jobs',
  // transport only
  'http',
  // what is numbered, stored and told after a commit
  'events',
  // whose room is taken, and what gives way in it
  'usage',
  // the ground
  'brand clock config context csv-line db ids keys limits mail make-folder outgoing secrets turns',
].map((names) => names.split(' '))

/** Parts of the second floor that ask another one there, each for a reason. */
const BESIDE: Record<string, readonly string[]> = {
  dashboard: ['announcement', 'ingest', 'invitation', 'strategy'], // one page of what they show
  invitation: ['join'], // one call tells what stands behind a code of any kind
  notify: ['ingest', 'invitation', 'sso', 'stream'], // what a message would be read as; an invitation that is over; a bot's link signs in; events as the stream tells them
  organization: ['file'], // its logo
  profile: ['file', 'session', 'signal'], // picture; its sign-ins; its records as files
  session: ['invitation', 'oidc'], // a link from the mailbox proves the mailbox; grants end with the password
  signal: ['ingest', 'notify'], // entered by hand is read as messages are; a timeline ends with its deliveries
  sso: ['oidc', 'session'], // the rows of both are kept alike; it ends in a session
  strategy: ['file', 'ingest', 'webhook'], // pictures of its note; made with its first webhook
  stream: ['ingest'], // deliveries are told as they are shown
  webhook: ['ingest'], // a mapping is tried by the reader itself
}

/** The browser's data from the top down: a part uses what stands below it, nothing beside it (docs/data.md). */
const DATA = [
  'start', // puts the room together
  'signed-in', // what of it is loaded later
  'view', // a room of its own for what a member sees
  'nouns', // what screens ask and change
  'identity', // who is here, as whom, and how that ends
  'current', // the room as screens hold it, what the page hands in, how a noun writes
  'outbox', // what waits to be sent
  'live', // what keeps the page up to date
  'client', // the one way to the server
  'device', // what this browser keeps
  'query', // TanStack's cache
  'keys', // every key of it
  'context clock failure places', // the ground
].map((names) => names.split(' '))

interface Use {
  path: string
  from: string
  to: string
}
const partOf = (path: string, room: string) =>
  (path.slice(room.length).split('/')[0] ?? '').replace(/\.tsx?$/, '')
const inside = (room: string) => files.filter(({ path }) => path.startsWith(room))

/** Which part of a room imports which. */
const importsIn = (room: string): Use[] =>
  imports
    .filter(({ path, to }) => path.startsWith(room) && to.startsWith(room))
    .map(({ path, to }) => ({ path, from: partOf(path, room), to: partOf(to, room) }))

/** What a part of the server adds to App and others take from it, which no import shows. */
function takenFromApp(): Use[] {
  const owner = new Map<string, string>()
  for (const { path, text } of inside('server/'))
    for (const [, added = ''] of text.matchAll(
      /\bdeclare module [^{]*\{\s*interface App \{\n([\s\S]*?)\n {2}\}/g,
    ))
      for (const [, member = ''] of added.matchAll(/^ {4}(?:readonly )?(\w+)\??[:(<]/gm))
        owner.set(member, partOf(path, 'server/'))
  const taking =
    /\bapp(?:\(\))?\??\.(\w+)|\bApp\['(\w+)'\]|\b(?:Pick|Omit)<\s*App,([^>]*)>|\{([^{}]*)\}: App\b/g
  return inside('server/').flatMap(({ path, text }) =>
    [...text.matchAll(taking)]
      .flatMap(([, ...names]) => names.join(' ').match(/\w+/g) ?? [])
      .flatMap((member) => owner.get(member) ?? [])
      .map((to) => ({ path, from: partOf(path, 'server/'), to })),
  )
}

describe('imports point one way', () => {
  test('every room imports only what it may, across rooms by #room/…', () => {
    const wrong = imports.flatMap(({ path, spec, to }) => {
      const [room, other] = [roomOf(path), roomOf(to)]
      if (room === 'tests') return []
      if (room === other && featureOf(path) === featureOf(to)) return []
      if (!MAY[room]?.includes(other))
        return [
          `${path} (${room}) imports ${spec} (${other}): join them in src/routes, or move the part below both`,
        ]
      return spec.startsWith('.') && room !== 'routes'
        ? [`${path}: write #${other}/… instead of ${spec}`]
        : []
    })
    expect(wrong).toEqual([])
  })

  test('no circle of folders: of what stands in one folder, files and folders, none leads back to itself', () => {
    const folders = new Map<string, Map<string, Set<string>>>()
    for (const { path, to } of imports.filter(({ path }) => !path.startsWith('tests/'))) {
      const [from, into] = [path.split('/'), to.split('/')]
      const parting = from.findIndex((name, at) => name !== into[at])
      const [a, b] = [from[parting], into[parting]]
      if (parting < 1 || a === undefined || b === undefined) continue
      const folder = from.slice(0, parting).join('/')
      const below = folders.get(folder) ?? new Map<string, Set<string>>()
      folders.set(folder, below.set(a, (below.get(a) ?? new Set()).add(b)))
    }
    const circles = [...folders].flatMap(([folder, below]) =>
      circlesOf(below).map((circle) => `${folder}: ${circle}: move what both need one folder up`),
    )
    expect(circles).toEqual([])
  })

  test('src/ui knows no noun but in nouns/', () => {
    const noun = /signal|strategy|position|trade|order|price|delta|webhook|member|organization/i
    const ofNoun = /^src\/(ui\/nouns\/|text\/(signal|strategy|row|webhook|voided|events)\.)/
    const ui = /^src\/ui\/(?!nouns\/)/
    const wrong = [
      ...files.filter(({ path }) => ui.test(path) && noun.test(path)).map(({ path }) => path),
      ...imports
        .filter(({ path, to }) => ui.test(path) && ofNoun.test(to))
        .map(({ path, spec }) => `${path}: ${spec}`),
    ]
    expect(wrong, 'move it to src/ui/nouns, or hand the words in as props').toEqual([])
  })

  test.each([
    ['server/', SERVER],
    ['src/data/', DATA],
  ])('every part of %s stands on a floor', (room, floors) => {
    const nowhere = inside(room)
      .map(({ path }) => partOf(path, room))
      .filter((name) => !floors.flat().includes(name))
    expect([...new Set(nowhere)], 'write it into the floors of this file').toEqual([])
  })

  test('no part of the server uses what is above it, nor what is beside it without a reason', () => {
    const floor = (name: string) => SERVER.findIndex((names) => names.includes(name))
    const wrong = [...importsIn('server/'), ...takenFromApp()]
      .filter(
        ({ from, to }) => floor(from) > floor(to) || (floor(from) === 1 && floor(to) === 1 && from !== to),
      )
      .filter(({ from, to }) => !BESIDE[from]?.includes(to))
      .map(({ path, to }) => `${path} uses ${to}: ask record/ or access/, or join the two in app.ts`)
    expect(wrong).toEqual([])
  })

  test('no part of src/data uses what is above or beside it', () => {
    const floor = (name: string) => DATA.findIndex((names) => names.includes(name))
    const wrong = importsIn('src/data/')
      .filter(({ from, to }) => from !== to && floor(from) >= floor(to))
      .map(({ path, to }) => `${path} uses ${to}: hand it in from start.ts, or move what both need below`)
    expect(wrong).toEqual([])
  })
})

/** All of src but the room that asks. */
const SCREENS = /^src\/(?!data\/|early\.ts|main\.tsx)/
const CODE_OF_BROWSER = /^(src|sw)\//
const BUT_KEYS = /^(src\/(?!data\/keys\.ts|early\.ts)|sw\/)/

const KINDS = STRATEGY_KINDS.join('|')
const IDS = CHANNELS.join('|')

/** What may stand in one place only: where it may not, what is looked for, what to do instead. */
const ONE_PLACE: Record<string, [where: RegExp, never: RegExp, instead: string]> = {
  'a call': [
    SCREENS,
    /client\s*\??\.(call|download|send)\b|outbox\s*\??\.send\b|\b(mutation|query)Options\(|\b(mutationKey|onSettled):|(?<!\.)\bmutationFn\b/g,
    'write it as a query or mutation of its noun in src/data/nouns',
  ],
  'a call taken out of the client': [
    SCREENS,
    /\{[^{}]*\b(call|download|send)\b[^{}]*\}\s*=[^=>\n]*\b(client|outbox|(get|use)Data)\b/g,
    'write it as a query or mutation of its noun in src/data/nouns',
  ],
  'the cache': [
    SCREENS,
    /\.(invalidate|remove|reset|refetch|cancel)Queries\(|\.(set|ensure)Quer(y|ies)Data\(|\bqueryFn\b/g,
    'let the mutation of its noun in src/data/nouns do it',
  ],
  'the name of a call that may wait': [
    SCREENS,
    new RegExp(`['"\`](${Object.keys(QUEUED).join('|')}|signal\\.manual-)['"\`]`, 'g'),
    'ask src/data/nouns/waiting.ts',
  ],
  'the shape of an answer': [
    CODE_OF_BROWSER,
    /(?<!\bz)\.output\b/g,
    'the build leaves it out (vite.config.ts): the server checks answers',
  ],
  'a key of the cache': [
    BUT_KEYS,
    /\[\s*(ctx|'person'|'personal'|`org:[^`]*`)\s*,\s*['`]|queryKey:\s*\[|\[\s*'person'|\[\\?"(person|personal|org:)/g,
    'spell it in src/data/keys.ts',
  ],
  'a place inside a key': [
    BUT_KEYS,
    /[kK]ey\)?\s*(\?\.)?\[\s*-?[1-9]|[kK]ey\)?\s*\??\.(at\(\s*(?!0\))|slice\(|includes\(|indexOf\()/g,
    'write a question about keys in src/data/keys.ts',
  ],
  'what only one kind of strategy does': [
    // the rules of one kind, its own screens, and the strategies of the demonstration
    // (where the settings of each kind part, the compiler names the kind that is missing: strategy/store.ts, trading/terms.ts)
    /^(?!tests\/|server\/(seed\/|strategy\/store)|trading\/terms|src\/features\/strategy\/(sample\/|detail\/OverviewTab))/,
    new RegExp(`\\bkind [!=]==? '(${KINDS})'|'(${KINDS})' [!=]==? [\\w.]*kind\\b|\\bcase '(${KINDS})'`, 'g'),
    'ask KINDS (trading/kinds.ts), or write it into the descriptor there',
  ],
  'what only one channel does': [
    // the channels themselves, the receivers of the demonstration, and a field of an old answer (settingOf)
    /^(?!tests\/|contract\/channels\.ts|server\/(notify\/(channels|routes)|seed|demo)\b)/,
    new RegExp(
      `(channel|\\bid|\\bone)\\)? [!=]==? '(${IDS})'|'(${IDS})' [!=]==? [\\w.]*channel\\b|switch \\([^)]*channel\\)`,
      'gi',
    ),
    'ask connectedBy, isProgram and the like (contract/channels.ts), or write it into the list there',
  ],
  'HTTP, in what decides who sees what': [
    /^server\/(record|access)\//,
    /from '(node:http|hono|@hono|\.\.\/http\/)/g,
    'let http/ read the request and hand in what it says',
  ],
}

/** Rules of Biome that hold up the house. */
const WALLS =
  '(suspicious/(noImportCycles|noExplicitAny|noTsIgnore|noFocusedTests|noSkippedTests)|style/noRestrictedImports)'

describe('stands in one place only', () => {
  const bare = (text: string) => text.replace(/(?<!:)\/\/.*|\/\*[\s\S]*?\*\//g, '')
  test.each(Object.entries(ONE_PLACE))('%s', (_, [where, never, instead]) => {
    const found = files
      .filter(({ path }) => where.test(path))
      .flatMap(({ path, text }) => (bare(text).match(never) ?? []).map((hit) => `${path}: ${hit.trim()}`))
    expect(found, instead).toEqual([])
  })

  test('a colour', () => {
    const painted = /^(src|server|sw|contract|trading|public)\/.*\.(tsx?|css|svg|webmanifest)$|^index\.html$/
    const literal = /(?<![&\w])#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b(?![-\w])|\b(rgb|hsl|oklch)a?\(/gi
    const found = everyFile()
      .filter((path) => painted.test(path) && path !== TOKENS)
      .flatMap((path) => (read(path).match(literal) ?? []).map((hit) => `${path}: ${hit}`))
    expect(found, `name it in ${TOKENS} and write var(--name), or ask server/brand.ts`).toEqual([])
  })

  test('no check is switched off: neither the compiler’s nor those of the walls', () => {
    const off = new RegExp(
      `@${'ts'}-(ignore|nocheck|expect-error)|biome-ignore${'-all'}|${'biome'}-ignore lint/${WALLS}`,
    )
    const wrong = files.filter(({ text }) => off.test(text)).map(({ path }) => path)
    expect(wrong, 'say the type, or move the part').toEqual([])
  })

  test('src/data/nouns/waiting.ts names calls that wait, and every signal that is entered by hand', () => {
    expect([...Object.values(BY_HAND), ...NAMING].filter((name) => !QUEUED[name])).toEqual([])
    const by_hand = Object.keys(QUEUED).filter((name) => name.startsWith('signal.manual-'))
    expect(by_hand.toSorted()).toEqual(Object.values(BY_HAND).toSorted())
  })

  test('every migration is one of those that run, each with a number of its own', () => {
    const listed = read('server/db/migrate.ts')
    const forgotten = inside('server/db/migrations/')
      .map(({ path }) => /([^/]+)\.ts$/.exec(path)?.[1] ?? '')
      .filter(
        (name) => name !== 'until-054' && !(listed.includes(`'${name}':`) && listed.includes(`/${name}.ts'`)),
      )
    expect(forgotten, 'import it in server/db/migrate.ts and write it into MIGRATIONS').toEqual([])
    const numbers = [
      ...(read('server/db/migrations/until-054.ts') + listed).matchAll(/'(\d{3})-[\w-]+':/g),
    ].map(([, number]) => number)
    expect(
      numbers.filter((number, at) => numbers.indexOf(number) < at),
      'the later one takes the next free number',
    ).toEqual([])
  })
})

describe('packages', () => {
  const manifest = JSON.parse(read('package.json'))
  const all = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })

  test('each is imported', () => {
    const configs = ['vite.config.ts', 'vitest.config.ts', 'playwright.config.ts'].map(read)
    const sources = [...files.map(({ text }) => text), ...configs].join('\n')
    // Tools are run. @mantine/hooks is the exact peer of @mantine/core: named so that npm takes this version and no other.
    const run = /^(@types\/|typescript$|@biomejs\/biome$|@mantine\/hooks$)/
    const idle = all.filter((name) => !run.test(name) && !new RegExp(`'${name}['/]`).test(sources))
    expect(idle, 'npm uninstall it').toEqual([])
  })

  test('the lock file is whole and names no registry, and no package runs a script when it is installed', () => {
    const packages: Record<string, { optionalDependencies?: Record<string, string>; resolved?: string }> =
      JSON.parse(read('package-lock.json')).packages
    const placed = (path: string, name: string): boolean =>
      `${path}${path && '/'}node_modules/${name}` in packages ||
      (path !== '' && placed(path.slice(0, Math.max(0, path.lastIndexOf('node_modules/') - 1)), name))
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).flatMap((name) =>
        placed(path, name) ? [] : [`${path || '.'} → ${name}`],
      ),
    )
    expect(
      missing,
      'npm leaves out packages of other systems: delete node_modules and the lock file, npm install',
    ).toEqual([])
    const fetched = Object.entries(packages).filter(([, { resolved }]) => resolved?.startsWith('http'))
    expect(
      fetched.map(([path]) => path),
      'npm install with omit-lockfile-registry-resolved',
    ).toEqual([])
    expect(read('.npmrc')).toContain('ignore-scripts=true')
  })
})

describe('the proof of the specification', () => {
  // spec §0: This document covers the whole product as far as it is known.
  test.each(['spec', 'domain'] as const)('every sentence of %s names the tests that prove it', (name) => {
    const page = read(PAGES[name])
    const { text, wrong } = written(name, page)
    expect(wrong).toEqual([])
    expect(page === text, `${PAGES[name]} is older than the tests: run npm run proof`).toBe(true)
  })
})

// docs/words.md: what a signal did has one word; others are read, never written
test('no screen and no message has another word for what a signal did', () => {
  const other = /買進開倉|賣出平倉|反手[多空](?!做)|做多進場|做空進場/
  const told = files.filter(({ path }) => !/^(tests|trading\/reader)\//.test(path))
  expect(told.filter(({ text }) => other.test(text)).map(({ path }) => path)).toEqual([])
})

test('every guard that the soak takes out stands in its source', () => {
  const moved = GUARDS.flatMap(({ name, changes }) =>
    changes
      .filter(({ file, from }) => read(file).split(from).length !== 2)
      .map(({ file }) => `${name}: ${file}`),
  )
  expect(moved, 'the source has changed: write it anew in tests/guards/list.ts').toEqual([])
})

test('every decision that is cited is there, and every file that docs/how-it-works.md names', () => {
  const cited = [
    ...files,
    ...['README.md', 'CONTRIBUTING.md', 'docs/adding.md'].map((path) => ({ path, text: read(path) })),
  ]
  const gone = cited.flatMap(({ path, text }) =>
    [...text.matchAll(/docs\/decisions\/[\w-]+(\.md)?/g)]
      .filter(([name]) => !existsSync(join(ROOT, name)))
      .map(([name]) => `${path}: ${name}`),
  )
  const named = read('docs/how-it-works.md').matchAll(
    /`((?:contract|trading|server|src|sw|tests)\/[\w./-]+)/g,
  )
  const moved = [...named].map(([, path = '']) => path).filter((path) => !existsSync(join(ROOT, path)))
  expect([...gone, ...moved], 'name the file that it is now').toEqual([])
})
