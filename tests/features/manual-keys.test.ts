// The keys of the manual sheet: what can be done with what is held, and what a refused entry had asked for.
import { expect, test } from 'vitest'
import { actionKeys, withAsked } from '#features/strategy/manual/actions.ts'

const strategy = {
  kind: 'futures',
  direction: 'both',
  allow_pyramiding: true,
  settings: { product_code: 'MXF' },
} as unknown as Parameters<typeof actionKeys>[1]
const flat = actionKeys(0, strategy)

// domain §7.6: refused: the reason on its row, corrected in its place
test('what was asked for stays the same key, also where it can do nothing any more', () => {
  expect(withAsked(flat, 'short_entry')).toBe(flat)
  // the position was closed elsewhere meanwhile: the first key would be 做多, the opposite of what was wanted
  expect(withAsked(flat, 'long_exit')[0]).toEqual({ action: 'long_exit', label: '多單出場' })
  expect(withAsked(flat, 'close_all')[0]).toEqual({ action: 'close_all', label: '全部平倉', whole: true })
  // 補一筆 buys and sells, whatever is held
  expect(withAsked(actionKeys(2, strategy), 'sell').map(({ action }) => action)).toEqual([
    'sell',
    'long_entry',
    'long_exit',
    'close_all',
    'reverse',
  ])
})
