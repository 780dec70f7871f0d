// The tables of the market in force: what is built in, with what this server's administrator laid over it (docs/decisions/051).
// One value, changed as a whole and never in part: by the server at its start and when a file changed, in the browser by its answer.
import { BUILT_IN } from './tables/built-in.ts'
import type { Tables } from './tables/shape.ts'

let current: Tables = BUILT_IN
const heard = new Set<() => void>()

/** The tables in force in this process. What is folded takes them from its terms instead: they stay the same through a fold. */
export function tables(): Tables {
  return current
}

/** Puts other tables into force; null = what is built in. */
export function layTables(next: Tables | null): void {
  if (next === current) return
  current = next ?? BUILT_IN
  for (const hear of heard) hear()
}

/** Calls `hear` after every change; the returned function ends it. */
export function onTables(hear: () => void): () => void {
  heard.add(hear)
  return () => {
    heard.delete(hear)
  }
}
