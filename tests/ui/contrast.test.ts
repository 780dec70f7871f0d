// Contrast of every text, edge and line token on every surface it may stand on, computed from tokens.css: ≥ 4.5 and ≥ 3, both themes.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('../../src/ui/tokens.css', import.meta.url), 'utf8')

/** Colours of the first rule that starts with `selector`. */
function colours(selector: string): Map<string, string> {
  const rule = css.slice(css.indexOf(selector)).split('}')[0] ?? ''
  return new Map(
    [...rule.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((found) => [found[1] ?? '', found[2] ?? '']),
  )
}

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const SURFACES = ['ground', 'card', 'raised', 'sunken', 'fill', 'highlight']
const TEXTS = ['ink', 'ink-2', 'ink-3', 'brand', 'red', 'green', 'flat']
const ON_PLAIN = ['warn', 'danger', 'good']
const PLAIN = ['ground', 'card', 'raised', 'sunken', 'fill']
const LINES = ['edge', 'chart-line']
const PAIRS: [string, string, number][] = [
  ...TEXTS.flatMap((text) => SURFACES.map((on): [string, string, number] => [text, on, 4.5])),
  ...ON_PLAIN.flatMap((text) => PLAIN.map((on): [string, string, number] => [text, on, 4.5])),
  ...ON_PLAIN.map((text): [string, string, number] => [text, `${text}-soft`, 4.5]),
  ...LINES.flatMap((line) => PLAIN.map((on): [string, string, number] => [line, on, 3])),
  ...['brand-fill', 'brand-hover'].map((on): [string, string, number] => ['on-brand', on, 4.5]),
  ...['red', 'green', 'flat'].map((on): [string, string, number] => ['on-seal', on, 4.5]),
  ...['red', 'green'].flatMap((hue) =>
    [1, 2, 3, 4].map((level): [string, string, number] => ['ink', `${hue}-${level}`, 4.5]),
  ),
  ['brand', 'brand-soft', 4.5],
  ['ink', 'brand-soft', 4.5],
  ['red', 'red-soft', 4.5],
  ['green', 'green-soft', 4.5],
  ['brand-fill', 'card', 3],
  ['brand-fill', 'ground', 3],
  ['brand-fill', 'raised', 3],
  ['card', 'ink', 4.5],
]

describe.each([
  ['light', ':root {'],
  ['dark', '[data-theme="dark"],\n.dark {'],
])('%s', (_, selector) => {
  const tokens = colours(selector)
  test.each(PAIRS)('%s on %s ≥ %s', (front, back, least) => {
    const [one, other] = [tokens.get(front), tokens.get(back)]
    if (!one || !other) throw new Error(`${front} or ${back} is not in tokens.css`)
    expect(contrast(one, other)).toBeGreaterThanOrEqual(least)
  })
})

test('both themes define the same colours', () => {
  expect([...colours('[data-theme="dark"],\n.dark {').keys()].sort()).toEqual(
    [...colours(':root {').keys()].sort(),
  )
})
