// The drawers of the browser's data: who stands above whom in src/data, and no circle anywhere, also none by types (docs/data.md, decision 049).
import { describe, expect, test } from 'vitest'
import { type Arrow, arrowsOf, partOf } from './support/arrows.ts'
import { files } from './support/sources.ts'

/** From the top down: a part uses what stands below it, never what stands above or beside it. */
const FLOORS: readonly (readonly string[])[] = [
  ['start'], // puts the room together
  ['signed-in'], // what of it is loaded later
  ['nouns'], // what screens ask and change
  ['identity'], // who is here, as whom, and how that ends
  ['current', 'ports'], // the room as screens hold it, and what the page hands in
  ['outbox'], // what waits to be sent
  ['live'], // what keeps the page up to date
  ['client'], // the one way to the server
  ['device'], // what this browser keeps
  ['query', 'keys'], // TanStack's cache, and every key of it
  ['context', 'clock', 'failure'], // the ground
]

const floor = (name: string) => FLOORS.findIndex((names) => names.includes(name))

/** Uses of what stands above or beside. */
const wrongOf = (arrows: readonly Arrow[]) =>
  arrows
    .filter(({ from, to }) => floor(from) >= floor(to))
    .map(({ path, to }) => `${path} uses ${to}: hand it in from start.ts, or move what both need below`)

describe('the drawers of src/data', () => {
  const inside = files.filter(({ path }) => path.startsWith('src/data/'))
  const arrows = arrowsOf('src/data/', files)

  test('every part stands on a floor, and every floor is stood on', () => {
    const parts = new Set(inside.map(({ path }) => partOf('src/data/', path)))
    expect([...parts].filter((name) => floor(name) < 0)).toEqual([])
    expect(FLOORS.flat().filter((name) => !parts.has(name))).toEqual([])
  })
  test('nothing uses what is above or beside it, so there is no circle', () => {
    expect(arrows.length).toBeGreaterThan(50)
    expect(wrongOf(arrows)).toEqual([])
  })
  test('what goes up or beside is found, also for a type alone, and what goes down is not', () => {
    const from = (path: string, text: string) => wrongOf(arrowsOf('src/data/', [{ path, text }]))
    const say = (path: string, to: string) => [
      `${path} uses ${to}: hand it in from start.ts, or move what both need below`,
    ]
    const [rows, keys, start] = ['src/data/device/rows.ts', 'src/data/keys.ts', 'src/data/start.ts'] as const
    expect(from(rows, "import { signals } from '../nouns/signals.ts'")).toEqual(say(rows, 'nouns'))
    expect(from(rows, "import type { Visit } from '../identity/visit.ts'")).toEqual(say(rows, 'identity'))
    expect(from(rows, "export { run } from '#data/live/run.ts'")).toEqual(say(rows, 'live'))
    expect(from(keys, "import { query } from './query.ts'")).toEqual(say(keys, 'query'))
    expect(from(start, "import { live } from './signed-in.ts'")).toEqual([])
    expect(from(rows, "import { other } from './other.ts'\nimport { key } from '../keys.ts'")).toEqual([])
  })
})
