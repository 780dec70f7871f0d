// The drawers of the browser's data: who stands above whom in src/data, and no circle anywhere, also none by types (docs/data.md, decision 049).
import { describe, expect, test } from 'vitest'
import { files, importsOf, target } from './support/sources.ts'

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

describe('the drawers of src/data', () => {
  const part = (path: string) => path.split('/')[2]?.replace(/\.ts$/, '') as string
  const floor = (name: string) => FLOORS.findIndex((names) => names.includes(name))
  const inside = files.filter(({ path }) => path.startsWith('src/data/'))
  const arrows = inside.flatMap(({ path, text }) =>
    importsOf(text)
      .map((spec) => target(path, spec))
      .filter((to) => to?.startsWith('src/data/') && part(to) !== part(path))
      .map((to) => ({ path, from: part(path), to: part(to as string) })),
  )

  test('every part stands on a floor, and every floor is stood on', () => {
    const parts = new Set(inside.map(({ path }) => part(path)))
    expect([...parts].filter((name) => floor(name) < 0)).toEqual([])
    expect(FLOORS.flat().filter((name) => !parts.has(name))).toEqual([])
  })
  test('nothing uses what is above or beside it, so there is no circle', () => {
    expect(arrows.length).toBeGreaterThan(50)
    const wrong = arrows
      .filter(({ from, to }) => floor(from) >= floor(to))
      .map(({ path, to }) => `${path} uses ${to}: hand it in from start.ts, or move what both need below`)
    expect(wrong).toEqual([])
  })
})
