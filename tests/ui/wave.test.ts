// The wave of the landing page and the sign-in: drawn in one stroke, without corners, from beyond the edge of any screen.
import { expect, test } from 'vitest'
import { WAVE } from '#ui/wave.ts'

type At = readonly [x: number, y: number]
type Piece = { from: At; out: At; into: At; to: At }

/** The cubic pieces of a path in absolute M, C and S; S mirrors the handle before. */
function piecesOf(path: string): Piece[] {
  let [at, handle]: [At, At] = [
    [0, 0],
    [0, 0],
  ]
  const pieces: Piece[] = []
  for (const [, letter, rest = ''] of path.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const n = (rest.match(/-?[\d.]+/g) ?? []).map(Number)
    const points = Array.from({ length: n.length / 2 }, (_, i): At => [n[2 * i] ?? NaN, n[2 * i + 1] ?? NaN])
    if (letter === 'M') at = handle = points[0] as At
    else if (letter === 'C' || letter === 'S') {
      const mirrored: At = [2 * at[0] - handle[0], 2 * at[1] - handle[1]]
      const [out, into, to] = (letter === 'C' ? points : [mirrored, ...points]) as [At, At, At]
      pieces.push({ from: at, out, into, to })
      ;[at, handle] = [to, into]
    } else throw new Error(`not read here: ${letter}`)
  }
  return pieces
}

const way = ([x, y]: At, [to_x, to_y]: At) => Math.atan2(to_y - y, to_x - x)

test('has no corner where two pieces meet', () => {
  const pieces = piecesOf(WAVE)
  expect(pieces.length).toBeGreaterThan(4)
  for (const [i, { from, out }] of pieces.entries()) {
    const before = pieces[i - 1]
    if (before) expect(way(from, out), `at ${from}`).toBeCloseTo(way(before.into, before.to), 3)
  }
})

test('runs to the right all the way, so that no piece turns back on itself', () => {
  for (const { from, out, into, to } of piecesOf(WAVE)) {
    expect(from[0]).toBeLessThan(out[0])
    expect(out[0]).toBeLessThan(to[0])
    expect(into[0]).toBeGreaterThan(from[0])
    expect(into[0]).toBeLessThan(to[0])
  }
})

test('begins beyond the left edge of a screen of 3,840 px, and ends where the newest row begins', () => {
  const pieces = piecesOf(WAVE)
  expect(pieces[0]?.from[0]).toBeLessThan(720 - 3840 / 2)
  expect(pieces.at(-1)?.to).toEqual([884, 165])
})
