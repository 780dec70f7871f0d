// Contrast of every text, edge and line token on every surface it may stand on, computed from tokens.css: ≥ 4.5 and ≥ 3, both themes.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { COLOURS, contrast, PAIRS } from '#features/demo/contrast.ts'

const css = readFileSync(new URL('../../src/ui/tokens.css', import.meta.url), 'utf8')

const LIGHT = ':root,\n[data-theme="light"] {'

/** Colours of the first rule that starts with `selector`. */
function colours(selector: string): Map<string, string> {
  const rule = css.slice(css.indexOf(selector)).split('}')[0] ?? ''
  return new Map(
    [...rule.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((found) => [found[1] ?? '', found[2] ?? '']),
  )
}

/** #rrggbb as 0–255. */
const rgb = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))

describe.each([
  ['light', LIGHT],
  ['dark', '[data-theme="dark"],\n.dark {'],
])('%s', (_, selector) => {
  const tokens = colours(selector)
  test.each(PAIRS)('%s on %s ≥ %s', (front, back, least) => {
    const [one, other] = [tokens.get(front), tokens.get(back)]
    if (!one || !other) throw new Error(`${front} or ${back} is not in tokens.css`)
    expect(contrast(rgb(one), rgb(other))).toBeGreaterThanOrEqual(least)
  })
})

test('both themes define the same colours', () => {
  expect([...colours('[data-theme="dark"],\n.dark {').keys()].sort()).toEqual(
    [...colours(LIGHT).keys()].sort(),
  )
})

test('the colour page shows every colour, and no other', () => {
  expect(Object.keys(COLOURS).sort()).toEqual([...colours(LIGHT).keys()].sort())
})
