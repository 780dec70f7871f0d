// What the built service worker keeps, read from its list.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface KeptFiles {
  /** With the first visit, before anything else. */
  at_start: string[]
  /** Once the first page stands. */
  later: string[]
}

/** Paths in `dist`, as sw.js names them. Throws when its list cannot be found. */
export function keptFiles(dist: string): KeptFiles {
  const worker = readFileSync(join(dist, 'sw.js'), 'utf8')
  const kept: KeptFiles = { at_start: [], later: [] }
  for (const [entry, , url = ''] of worker.matchAll(/\{[^{}]*"?\burl"?:\s*(["'`])([^"'`]+)\1[^{}]*\}/g))
    (/\blater\b/.test(entry) ? kept.later : kept.at_start).push(url)
  if (kept.at_start.length === 0) throw new Error('sw.js has no list of files')
  return kept
}
