// What a build was made from, by content: a fresh clone is right, too.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../config.ts'

/** A name of the contents of these files and folders of the repository; those that are not there count as empty. */
export function hashOf(sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const source of sources.map((name) => join(ROOT, name)).filter(existsSync))
    for (const file of statSync(source).isDirectory() ? filesOf(source) : [source]) {
      // the build writes it itself
      if (file.endsWith('routeTree.gen.ts')) continue
      hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0')
    }
  return hash.digest('hex')
}

/** Every file below a folder, in order. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
