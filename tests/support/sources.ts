// The repository's own sources, read once, and where their imports lead: for the tests about the house.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')
const ROOMS = ['contract', 'trading', 'server', 'src', 'sw', 'tests'] as const

/** Everything under a room that is ours to read; the router's generated tree is not. */
export const files = ROOMS.flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx)$/.test(entry.name) && entry.name !== 'routeTree.gen.ts')
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*?(?:\n[^'"\n;]*?)*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)\s*import\s+'([^']+)'/g

const aliases: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).imports

/** What a file imports, as it is written there. */
export function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map((m) => (m[1] ?? m[2] ?? m[3]) as string)
}

/** Where an import leads inside the repository, null for packages and styles of packages. */
export function target(from: string, spec: string): string | null {
  if (spec.startsWith('.')) return relative(ROOT, resolve(ROOT, dirname(from), spec))
  for (const [alias, to] of Object.entries(aliases)) {
    const prefix = alias.slice(0, -1)
    if (spec.startsWith(prefix)) return join(to.slice(0, -1), spec.slice(prefix.length))
  }
  return null
}

/** Every import of our own, also of types. */
export const imports = files.flatMap(({ path, text }) =>
  importsOf(text).flatMap((spec) => {
    const to = target(path, spec)
    return to === null ? [] : [{ path, spec, to }]
  }),
)

/** Circles in a drawing of who uses whom: each written as the way round, `a → b → a`. */
export function circlesOf(below: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (name: string, way: readonly string[]) => {
    if (way.includes(name)) circles.push([...way.slice(way.indexOf(name)), name].join(' → '))
    if (way.includes(name) || done.has(name)) return
    for (const next of below.get(name) ?? []) walk(next, [...way, name])
    done.add(name)
  }
  for (const name of below.keys()) walk(name, [])
  return circles
}
