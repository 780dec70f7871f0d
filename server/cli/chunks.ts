// Which file of the built application a module goes to, and which files a start needs: by the graph of imports, never by names of files.
import type { Rolldown } from 'vite'

type Graph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>

const source = (path: string) => new URL(`../../src/${path}`, import.meta.url).pathname

/** A page that people come to by a link, and whose files are asked for beside the entry. */
interface Page {
  /** The path as the address has it: `*` stands for one part of it, `?tab=x` for what else the address has to say; the first that fits counts. */
  readonly at: string
  /** Its route, in src/routes/. */
  readonly route: string
  /** What its first sight loads by itself, in src/features/. */
  readonly with?: readonly string[]
  /** Whether the frame stands around it. */
  readonly framed?: false
  /** Every device keeps its files before the first page stands: a start may open it with no network. */
  readonly kept?: true
  /** What it shows first is one file of this name. */
  readonly file?: string
  /** Its name in src/glance/pages.tsx, where it is drawn before the application. */
  readonly drawn?: string
}

const STRATEGY = '_shell/strategies/$strategyId/index.tsx'

export const PAGES: readonly Page[] = [
  { at: '/', route: 'index.tsx', framed: false, kept: true },
  { at: '/login', route: 'login.tsx', framed: false, kept: true },
  { at: '/dashboard', route: '_shell/dashboard.tsx', kept: true, file: 'dashboard', drawn: 'dashboard' },
  { at: '/signals', route: '_shell/signals.tsx', kept: true, file: 'signals', drawn: 'signals' },
  {
    at: '/strategies',
    route: '_shell/strategies/index.tsx',
    kept: true,
    file: 'strategies',
    drawn: 'strategies',
  },
  { at: '/strategies/create', route: '_shell/strategies/create/index.tsx' },
  { at: '/strategies/*?tab=signals', route: STRATEGY, with: ['signal/SignalList.tsx'], drawn: 'strategy' },
  { at: '/strategies/*?signal=*', route: STRATEGY, with: ['signal/SignalList.tsx'], drawn: 'strategy' },
  {
    at: '/strategies/*?tab=trades',
    route: STRATEGY,
    with: ['strategy/detail/trades/TradesTab.tsx'],
    drawn: 'strategy',
  },
  {
    at: '/strategies/*?tab=settings',
    route: STRATEGY,
    with: ['strategy/detail/SettingsTab.tsx'],
    drawn: 'strategy',
  },
  {
    at: '/strategies/*',
    route: STRATEGY,
    with: ['strategy/detail/OverviewTab.tsx'],
    file: 'strategy',
    drawn: 'strategy',
  },
  { at: '/strategies/*/edit', route: '_shell/strategies/$strategyId/edit.tsx' },
  {
    at: '/signal-notification?tab=setting',
    route: '_shell/signal-notification.tsx',
    with: ['notification/setting/SettingTab.tsx'],
  },
  {
    at: '/signal-notification?tab=why',
    route: '_shell/signal-notification.tsx',
    with: ['notification/why/WhyTab.tsx'],
  },
  { at: '/signal-notification', route: '_shell/signal-notification.tsx' },
  { at: '/my-organizations', route: '_shell/my-organizations.tsx', drawn: 'organizations' },
  { at: '/organizations/info', route: '_shell/organizations/info.tsx' },
  { at: '/organizations/manage', route: '_shell/organizations/manage.tsx' },
  { at: '/organizations/*/announcements', route: '_shell/organizations/$organizationId/announcements.tsx' },
  { at: '/my-announcements', route: '_shell/my-announcements.tsx' },
  { at: '/guide', route: '_shell/guide.tsx' },
  { at: '/profile', route: '_shell/profile.tsx' },
]

/** The part of a route that its page is in, as the plugin of the routes names it. */
const screenOf = (route: string) => `${source(`routes/${route}`)}?tsr-split=component`
/** What a page shows first: modules that are asked for by it, or by what draws it. */
export const modulesOf = ({ route, with: more = [] }: Pick<Page, 'route' | 'with'>): string[] => [
  screenOf(route),
  ...more.map((file) => source(`features/${file}`)),
]
/** The same of the page at a path, without what it loads by itself. */
export const screenAt = (path: string): string | undefined =>
  PAGES.flatMap(({ at, route }) => (at === path ? screenOf(route) : []))[0]
const STARTS = PAGES.filter(({ kept }) => kept).map(({ route }) => screenOf(route))

const ENTRY = source('main.tsx')
/** The frame around the pages behind the sign-in, as its route asks for it. */
export const FRAME_SCREEN = screenOf('_shell.tsx')

/** Pages that show parts and samples, and what stands in them only: files, or folders with a stroke at the end. */
const SHOWN = [
  source('features/demo/'),
  source('features/signal/sample/'),
  source('features/strategy/sample/'),
]
/** What waits for its first use stays by itself, whoever shares it. */
const WAITING = [
  source('features/shell/Toasts.tsx'),
  source('features/shell/Toasts.module.css'),
  source('screen/toaster.tsx'),
  source('screen/toaster.module.css'),
  source('ui/mantine/'),
]
/** What most starts never show, and what stands in it only: one small file, with the first of them. */
const SELDOM = [
  source('features/shell/ErrorList.tsx'),
  source('features/shell/ErrorList.module.css'),
  source('features/shell/InstallPrompt.tsx'),
  source('features/shell/ViewBanner.tsx'),
  source('ui/tooltip.ts'),
]
/** What a signal would do if it came next: with the fold's own step, and only where one waits or is entered. */
const FORESEEN = source('data/nouns/foreseen.ts')
const FEATURES = source('features/')
const ROUTES = source('routes/')

/** Is this module one of these files, or in one of these folders? The build asks for some with a question mark behind. */
const isOneOf = (names: readonly string[], id: string) =>
  names.some((name) => (name.endsWith('/') ? id.startsWith(name) : id.split('?')[0] === name))

/**
 * Stops the build when a file or folder that is named here is not part of it: it was renamed, and without this word a page
 * would only leave what is kept for a start.
 */
function namedAreThere(ids: Iterable<string>): void {
  const all = [...ids]
  const there = new Set(all)
  const missing = [
    ...[ENTRY, FRAME_SCREEN, FORESEEN, ...PAGES.flatMap(modulesOf), ...APART.keys()].filter(
      (file) => !there.has(file),
    ),
    ...[...SHOWN, ...WAITING, ...SELDOM, ROUTES].filter((name) => !all.some((id) => isOneOf([name], id))),
  ]
  if (missing.length === 0) return
  throw new Error(
    `server/cli/chunks.ts names what the build does not have: ${missing.join(', ')}. Was it renamed? Write its new name there.`,
  )
}

/** What is reachable from a module without a dynamic import; walked once. */
function reachedFrom(root: string, graph: Graph): ReadonlySet<string> {
  const known = reached.get(root)
  if (known) return known
  const found = reachedBy([root], graph)
  reached.set(root, found)
  return found
}
const reached = new Map<string, ReadonlySet<string>>()

/** What shapes are made of. The graph counts it to the entry, whose calls name shapes that the build leaves out (vite.config.ts). */
const OF_SHAPES = /\/node_modules\/zod\/|\/contract\/fields\.ts$|\/trading\/unseen\.ts$/
/** Whether the entry asks for a module. */
const isEager = (id: string, graph: Graph) => reachedFrom(ENTRY, graph).has(id)
const isEntry = (id: string, graph: Graph) => isEager(id, graph) && !OF_SHAPES.test(id)
/** Whether a module is part of the frame. */
const isFrame = (id: string, graph: Graph) => reachedFrom(FRAME_SCREEN, graph).has(id)

/** Whether one of the pages that a start may open needs a module. */
const isOfStart = (id: string, graph: Graph) => STARTS.some((page) => reachedFrom(page, graph).has(id))

/**
 * What pages show first is one file for each of them, and one for what the same pages share: on a slow line a small file costs a
 * request like a large one. Null for what stands in the files of every start.
 */
function sightOf(id: string, graph: Graph): string | null {
  if (isOneOf(WAITING, id) || isEager(id, graph) || isFrame(id, graph)) return null
  const own = id.startsWith(FEATURES) || isRoute(id)
  if (!own && isOfStart(id, graph)) return null
  const of = PAGES.filter(
    (page) => page.file !== undefined && modulesOf(page).some((one) => reachedFrom(one, graph).has(id)),
  )
  return of.map(({ file }) => file).join('-') || null
}

/** Whether `FORESEEN` brings a module, and no start. */
const isForeseen = (id: string, graph: Graph) =>
  reachedFrom(FORESEEN, graph).has(id) &&
  !(isEager(id, graph) || isFrame(id, graph) || isOfStart(id, graph) || isSoon(id, graph))

const isShown = (id: string) => isOneOf(SHOWN, id)

/** A screen of a file route. */
const isRoute = (id: string) => id.startsWith(ROUTES)

const isOurs = (id: string) => id.startsWith(source('')) && !id.includes('/node_modules/')

/** What is reachable from modules; `later` names what one of them asks for once it runs. */
function reachedBy(
  from: string[],
  graph: Graph,
  later: (id: string) => readonly string[] = () => [],
): Set<string> {
  const found = new Set<string>()
  for (let next = from.pop(); next !== undefined; next = from.pop()) {
    if (found.has(next)) continue
    found.add(next)
    from.push(...(graph.getModuleInfo(next)?.importedIds ?? []), ...later(next))
  }
  return found
}

/** What the entry asks for by itself, whatever page it opens and whatever happens there; a route asks for its own page only. */
function everyStart(graph: Graph): ReadonlySet<string> {
  const asked = (id: string) =>
    isRoute(id)
      ? []
      : (graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []).filter(
          (one) => !isRoute(one) && !isOneOf([...WAITING, ...SELDOM], one),
        )
  every_start ??= reachedBy([ENTRY], graph, asked)
  return every_start
}
let every_start: ReadonlySet<string> | undefined
const isSoon = (id: string, graph: Graph) => everyStart(graph).has(id)

/** Asked for by every start, by nothing of the page itself, and without a library that the entry has not. */
function isAtOnce(id: string, graph: Graph): boolean {
  if (isOneOf(WAITING, id) || isRoute(id) || !isSoon(id, graph)) return false
  if (isEager(id, graph) || isFrame(id, graph) || isOfStart(id, graph)) return false
  return !needsLibrary(id, graph)
}

/**
 * Files that a start may need: the entry with whatever it asks for by itself, the frame, and the pages of `PAGES` that are kept. Every other
 * screen, and what a page opens later, is kept after the first page stands (sw/shell-cache.ts).
 */
export function startFiles(
  graph: Rolldown.PluginContext,
  chunks: readonly Rolldown.OutputChunk[],
): Set<string> {
  namedAreThere(graph.getModuleIds())
  // What a page opens later is not part of starting it.
  const opened = reachedBy([FRAME_SCREEN, ...STARTS], graph)
  const modules = new Set([...everyStart(graph), ...opened])
  const files = new Set<string>()
  const add = (chunk: Rolldown.OutputChunk) => {
    if (files.has(chunk.fileName)) return
    for (const file of [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]) files.add(file)
    // With what the bundler itself puts in between.
    for (const one of chunks) if (chunk.imports.includes(one.fileName)) add(one)
  }
  // By files of ours only: what they need of a library is asked for by their chunk, while a library's list of everything
  // it has leads to parts that nobody asked for.
  const ours = (id: string) => modules.has(id) && !id.includes('/node_modules/')
  for (const chunk of chunks) if (chunk.moduleIds.some(ours)) add(chunk)
  return files
}

/** Whether a module is there only for pages that show parts and samples: one of them, its route, or asked for by such only. */
function onlyShows(id: string, graph: Graph): boolean {
  if (isShown(id)) return true
  const info = graph.getModuleInfo(id)
  if (!info) return false
  if (isRoute(id)) return [...reachedBy([id, ...info.dynamicallyImportedIds], graph)].some(isShown)
  const askers = [...info.importers, ...info.dynamicImporters]
  return askers.length > 0 && askers.every((one) => onlyShows(one, graph))
}

/** Files of the pages that show parts and samples, with those of their routes: nobody starts there. */
export function shownFiles(graph: Graph, chunks: readonly Rolldown.OutputChunk[]): Set<string> {
  const files = chunks
    .filter(
      ({ moduleIds }) =>
        moduleIds.some(isOurs) && moduleIds.filter(isOurs).every((id) => onlyShows(id, graph)),
    )
    .flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])])
  return new Set(files)
}

/**
 * The folder of a screen that no start needs: `strategy-form`, `organization`. A route stands with its page, what only one folder
 * asks for with that; what needs a library of its own stays with the library.
 */
function roomOf(id: string, graph: Graph): string | null {
  const known = rooms.get(id)
  if (known !== undefined) return known
  rooms.set(id, null)
  const room = findRoom(id, graph)
  rooms.set(id, room)
  return room
}
const rooms = new Map<string, string | null>()

/** Pages with much of their own: what nobody else needs of their folder is a file beside the folder's, so that none grows too heavy. */
const APART = new Map([
  [
    source('features/organization/OrganizationManagePage.tsx'),
    { room: 'organization-manage', of: 'organization' },
  ],
])

/** Whether a module is there for one page only. */
function onlyFor(id: string, page: string, graph: Graph): boolean {
  if (id === page) return true
  const info = graph.getModuleInfo(id)
  const askers = [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])]
  return askers.length > 0 && askers.every((one) => onlyFor(one, page, graph))
}

function findRoom(id: string, graph: Graph): string | null {
  if (isOneOf(WAITING, id) || isEager(id, graph) || isFrame(id, graph) || isOfStart(id, graph)) return null
  if (isSoon(id, graph) || onlyShows(id, graph) || needsLibrary(id, graph)) return null
  const info = graph.getModuleInfo(id)
  const path = isRoute(id) ? info?.importedIds.find((one) => one.startsWith(FEATURES)) : id
  if (path && isOfStart(path, graph)) return null
  if (path?.startsWith(FEATURES)) {
    for (const [page, { room }] of APART) if (onlyFor(path, page, graph)) return room
    return path.slice(FEATURES.length).split('/').slice(0, -1).join('-')
  }
  const asking = new Set(
    [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])].map((one) => roomOf(one, graph)),
  )
  if (asking.size === 2) for (const { room, of } of APART.values()) if (asking.has(of)) asking.delete(room)
  const [only = null] = asking
  return asking.size === 1 ? only : null
}

/** Whether a library that the entry has not comes with a module. */
const needsLibrary = (id: string, graph: Graph) =>
  [...reachedFrom(id, graph)].some((one) => one.includes('/node_modules/') && !isEager(one, graph))

/** The files in which modules stand together; the first that takes a module has it. */
export const GROUPS: Rolldown.CodeSplittingGroup[] = [
  // On a slow line a request costs more than its bytes: the entry is three files, what the pages share is one more.
  {
    name: (id, graph) => (isEntry(id, graph) ? 'vendor' : null),
    debugName: 'vendor',
    test: /\/node_modules\/|vite\/preload-helper|rolldown/,
  },
  {
    name: (id, graph) => (isEntry(id, graph) ? 'app' : null),
    debugName: 'app',
    test: /\/(contract|trading|src)\//,
    includeDependenciesRecursively: false,
  },
  {
    name: (id, graph) => (isFrame(id, graph) ? 'frame' : null),
    debugName: 'frame',
    test: /\/(trading|src)\//,
    includeDependenciesRecursively: false,
  },
  {
    name: (id) => (isOneOf(SELDOM, id) ? 'seldom' : null),
    debugName: 'seldom',
    test: /\/src\//,
    includeDependenciesRecursively: false,
  },
  // What every start asks for once its page stands comes as one file; what needs a library of its own comes with that.
  {
    name: (id, graph) => (isAtOnce(id, graph) ? 'soon' : null),
    debugName: 'soon',
    test: /\/(contract|trading|src)\//,
    includeDependenciesRecursively: false,
  },
  // What a page shows first.
  {
    name: sightOf,
    debugName: 'sights',
    test: /\/(contract|trading|src)\//,
    includeDependenciesRecursively: false,
  },
  {
    name: (id, graph) => (isForeseen(id, graph) ? 'foreseen' : null),
    debugName: 'foreseen',
    test: /\/(trading|src)\//,
    includeDependenciesRecursively: false,
  },
  // Shapes and rules of the pages: they grow with every call, the frame does not.
  {
    name: (id, graph) =>
      OF_SHAPES.test(id) || isOfStart(id, graph) ? 'shapes' : roomOf(id, graph) ? null : 'rules',
    debugName: 'shapes',
    test: /\/(contract|trading)\/(?!record-words)|\/node_modules\/zod\//,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
  {
    name: (id, graph) =>
      isOfStart(id, graph) || isSoon(id, graph) || isShown(id) || isOneOf(WAITING, id) ? null : 'sheets',
    debugName: 'sheets',
    test: /\/src\/.+\.module\.css/,
    includeDependenciesRecursively: false,
  },
  // What a start does not need does not make it heavier. The words of records need no shape: they stand with the pages that say them.
  {
    name: (id, graph) =>
      isOneOf(WAITING, id) ? null : isOfStart(id, graph) ? 'frame' : roomOf(id, graph) ? null : 'parts',
    debugName: 'shared',
    test: /\/src\/(data|state|text|ui|screen)\/|\/trading\/record-words/,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
  // The screens that no start needs, by the rooms they stand in: each file is a request, and a place in the worker's store.
  {
    name: (id, graph) => roomOf(id, graph),
    debugName: 'rooms',
    test: /\/(contract|trading|src)\//,
    includeDependenciesRecursively: false,
  },
]

// What stands in the entry of the built application: every first visit pays for it. Libraries and folders of src in one row each, so
// that an ordinary new file costs no line; files of contract/ one by one, because shapes of calls load with the screens that use them,
// and one more call costs the entry nothing.

interface Allowed {
  readonly why: string
  /** Bytes as the bundler writes them, before they are made small. Absent where a file grows by a row of words: then it holds no shape. */
  readonly most?: number
}

/** By library, folder (with a stroke at the end) or file. */
const IN_ENTRY: Readonly<Record<string, Allowed>> = {
  // Libraries: what a new version of one takes more is worth a look.
  'react-dom': { why: 'draws every page', most: 560_000 },
  react: { why: 'what every part is written with', most: 18_500 },
  scheduler: { why: 'asked for by react-dom', most: 10_000 },
  '@tanstack/router-core': {
    why: 'which page an address is, and whether this identity may open it',
    most: 120_000,
  },
  '@tanstack/react-router': { why: 'draws the page of the route', most: 41_000 },
  '@tanstack/history': { why: 'asked for by the router', most: 11_000 },
  '@tanstack/store': { why: 'asked for by the router', most: 9_500 },
  '@tanstack/react-store': { why: 'asked for by the router', most: 1_000 },
  'use-sync-external-store': { why: 'asked for by @tanstack/react-store', most: 5_000 },
  '@tanstack/query-core': {
    why: 'holds answers, also those that the device laid in before the first page',
    most: 82_000,
  },
  '@tanstack/react-query': { why: 'gives answers to every page', most: 10_000 },
  '@tanstack/query-sync-storage-persister': { why: 'the profile is there before any answer', most: 1_700 },
  valtio: { why: 'session, preferences and connection', most: 8_500 },
  'proxy-compare': { why: 'asked for by valtio', most: 6_000 },
  ky: { why: 'sends every call', most: 56_000 },
  'jwt-decode': { why: 'until when a session is good', most: 1_700 },
  'vite/preload-helper': { why: 'loads a file that is asked for later', most: 3_800 },
  'rolldown/runtime': { why: 'binds the files to each other', most: 1_700 },

  'src/main.tsx': { why: 'starts the application', most: 2_500 },
  'src/routeTree.gen.ts': { why: 'the list of the routes', most: 8_000 },
  'src/routes/': {
    why: 'who may open which address; the pages themselves load when they are opened',
    most: 20_000,
  },
  'src/data/': {
    why: 'client, answers and what the device keeps of them; database and stream come after the page',
    most: 62_000,
  },
  'src/state/': { why: 'session, preferences, connection', most: 13_500 },
  'src/screen/': {
    why: 'guards, switching, leaving: what routes and frame ask before a page is here',
    most: 22_000,
  },
  'src/text/': { why: 'the words of that', most: 4_500 },
  'src/ui/': { why: 'skeletons, buttons and signs of a page that loads or failed', most: 25_000 },
  'src/features/shell/': {
    why: 'starts what a page needs; what stands around a page that loads or failed',
    most: 23_000,
  },
  'src/prerender/': { why: 'what was typed before the application stood is taken over', most: 3_500 },
  'src/features/session/return-to.ts': { why: 'where a sign-in leads', most: 900 },
  'src/features/signal/filters.ts': { why: 'which part of an address is a filter', most: 300 },

  'contract/endpoint.ts': {
    why: 'the client makes addresses of calls and opens every answer by it',
    most: 1_500,
  },
  'contract/errors.ts': { why: 'what an answer says went wrong, in words' },
  'contract/ids.ts': { why: 'every call that changes something carries a number of its own', most: 600 },
  'contract/limits.ts': { why: 'how long the client waits, keeps and tries' },
  'contract/permissions.ts': { why: 'the routes ask what this identity may open' },
  'contract/return-to.ts': { why: 'the routes ask where a sign-in may lead', most: 1_000 },
  'contract/start.ts': {
    why: 'every start asks who this is, and a session can end before any page is here',
    most: 600,
  },
}

/** Modules of a file of the build, by their paths. */
type Rendered = Readonly<Record<string, { readonly renderedLength: number }>>

const ROOT = new URL('../../', import.meta.url).pathname

/** The row of a module: its library's, its own, or that of a folder it is in; without one, its path. */
function rowOf(id: string): string {
  const path = id.replace(ROOT, '').replace(/^\0|\?.*$|\.js$/g, '')
  const [, ...installed] = `/${path}`.split('/node_modules/')
  const [scope = '', name = ''] = installed.at(-1)?.split('/') ?? []
  if (scope) return scope.startsWith('@') ? `${scope}/${name}` : scope
  return Object.keys(IN_ENTRY).find((row) => isOneOf([row], path)) ?? path
}

/** What of `modules`, the entry's, is not as `IN_ENTRY` says: a sentence each. */
function wrongInEntry(modules: Rendered): string[] {
  const there = new Map<string, number>()
  for (const [id, { renderedLength }] of Object.entries(modules)) {
    const row = rowOf(id)
    if (renderedLength > 0) there.set(row, (there.get(row) ?? 0) + renderedLength)
  }
  const wrong = [...there].flatMap(([row, bytes]) => {
    const allowed = IN_ENTRY[row]
    if (!allowed) return [`${row} (${bytes} bytes) came into it; who imports it from there?`]
    const { most = bytes } = allowed
    return bytes > most ? [`${row} has ${bytes} bytes of ${most}; what is new may load with its screen`] : []
  })
  const gone = Object.keys(IN_ENTRY).filter((row) => !there.has(row))
  return [...wrong, ...gone.map((row) => `${row} is not in it any more`)]
}

/** Stops the build when the entry holds more than `IN_ENTRY` says, or less. */
export function entryAsListed(modules: Rendered): void {
  const wrong = wrongInEntry(modules)
  if (wrong.length === 0) return
  throw new Error(`The entry is not as server/cli/chunks.ts lists it: ${wrong.join('; ')}`)
}
