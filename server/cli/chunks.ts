// Which file of the built application a module goes to, and which files a start needs: by the graph of imports, never by names of files.
import type { Rolldown } from 'vite'

type Graph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>

const source = (path: string) => new URL(`../../src/${path}`, import.meta.url).pathname

/** Paths whose page can be fetched beside the entry, and the file that holds the page. */
export const PAGES: Record<string, string> = {
  '/': '/landing/LandingPage.tsx',
  '/login': '/session/LoginPage.tsx',
  '/dashboard': '/dashboard/DashboardPage.tsx',
  '/signals': '/signal/SignalsPage.tsx',
  '/strategies': '/strategy/StrategyListPage.tsx',
}

const ENTRY = source('main.tsx')
/** The frame around every page but the first two, as its route asks for it. */
const FRAME = source('routes/_shell.tsx')
export const FRAME_SCREEN = `${FRAME}?tsr-split=component`

/** What is reachable from a module without a dynamic import; walked once. */
function reachedFrom(root: string, graph: Graph): ReadonlySet<string> {
  const known = reached.get(root)
  if (known) return known
  const found = reachedBy([root], graph)
  reached.set(root, found)
  return found
}
const reached = new Map<string, ReadonlySet<string>>()

/** Whether a module is part of the entry. */
const isEager = (id: string, graph: Graph) => reachedFrom(ENTRY, graph).has(id)
/** Whether a module is part of the frame. */
const isFrame = (id: string, graph: Graph) => reachedFrom(FRAME_SCREEN, graph).has(id)

/** Whether one of the pages that a start may open needs a module. */
const PAGE_FILES = Object.values(PAGES).map((page) => source(`features${page}`))
const isOfStart = (id: string, graph: Graph) => PAGE_FILES.some((page) => reachedFrom(page, graph).has(id))

/** A page that shows parts and samples. */
const isShown = (id: string) => id.includes('/src/features/demo/')

/** A screen of a file route. */
const isRoute = (id: string) => id.includes('/src/routes/')

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

/** What the entry asks for by itself, whatever page it opens; a route asks for its own page only. */
function everyStart(graph: Graph): ReadonlySet<string> {
  const asked = (id: string) =>
    isRoute(id) ? [] : (graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []).filter((one) => !isRoute(one))
  every_start ??= reachedBy([ENTRY], graph, asked)
  return every_start
}
let every_start: ReadonlySet<string> | undefined
const isSoon = (id: string, graph: Graph) => everyStart(graph).has(id)

/**
 * Files that a start may need: the entry with whatever it asks for by itself, the frame, and the pages of `PAGES`. Every other
 * screen, and what a page opens later, is kept after the first page stands (sw/shell-cache.ts).
 */
export function startFiles(
  graph: Rolldown.PluginContext,
  chunks: readonly Rolldown.OutputChunk[],
): Set<string> {
  const pages = [FRAME_SCREEN, ...Object.values(PAGES)]
  // What a page opens later is not part of starting it.
  const opened = reachedBy(
    [...graph.getModuleIds()].filter((id) => pages.some((page) => id.endsWith(page))),
    graph,
  )
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

/** The files in which modules stand together; the first that takes a module has it. */
export const GROUPS: Rolldown.CodeSplittingGroup[] = [
  // On a slow line a request costs more than its bytes: the entry is three files, what the pages share is one more.
  {
    name: (id, graph) => (isEager(id, graph) ? 'vendor' : null),
    debugName: 'vendor',
    test: /\/node_modules\/|vite\/preload-helper|rolldown/,
  },
  {
    name: (id, graph) => (isEager(id, graph) ? 'app' : null),
    debugName: 'app',
    test: /\/(contract|trading|src)\//,
    includeDependenciesRecursively: false,
  },
  {
    name: (id, graph) => (isFrame(id, graph) ? 'frame' : null),
    debugName: 'frame',
    test: /\/src\//,
    includeDependenciesRecursively: false,
  },
  // Shapes and rules of the pages: they grow with every call, the frame does not.
  {
    name: (id, graph) => (isOfStart(id, graph) ? 'shapes' : isSoon(id, graph) ? 'soon' : 'rules'),
    debugName: 'shapes',
    test: /\/(contract|trading)\//,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
  {
    name: (id, graph) => (isOfStart(id, graph) || isSoon(id, graph) || isShown(id) ? null : 'sheets'),
    debugName: 'sheets',
    test: /\/src\/.+\.module\.css/,
    includeDependenciesRecursively: false,
  },
  // What a start does not need does not make it heavier.
  {
    name: (id, graph) => (isOfStart(id, graph) ? 'frame' : isSoon(id, graph) ? 'soon' : 'parts'),
    debugName: 'shared',
    test: /\/src\/(data|state|text|ui|screen)\/(?!toast|mantine\/)/,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
]
