// Geometry of the small curves and exact stepping of number fields.

import { describe, expect, test } from 'vitest'
import { fc } from '#tests/support/property.ts'
import { curve, thinned } from '#ui/Figures.tsx'
import { plainNumber, stepped } from '#ui/NumberField.tsx'

describe('curve', () => {
  test('nothing without points', () => expect(curve([], 0)).toBeNull())
  test('sign is that of last minus base', () => {
    expect(curve([0, 5], 0)?.tone).toBe('up')
    expect(curve([0, -5], 0)?.tone).toBe('down')
    expect(curve([3, 0], 0)?.tone).toBe('flat')
  })
  test('area is measured to the capital line, not to the floor', () => {
    expect(curve([100, 50, 150], 100)).toEqual({
      line: 'M0 50L50 100L100 0',
      area: 'M0 50L50 100L100 0V50H0Z',
      base_y: 50,
      end_y: 0,
      tone: 'up',
    })
  })
  test('steps keep a value until the next', () => expect(curve([0, 10], 0, true)?.line).toBe('M0 100H100V0'))
  test('one point is a flat line', () => expect(curve([5], 5)?.line).toBe('M0 50H100'))
  test('thinning keeps both ends', () => {
    const points = Array.from({ length: 2000 }, (_, at) => at)
    const thin = thinned(points, 30)
    expect(thin).toHaveLength(30)
    expect([thin[0], thin.at(-1)]).toEqual([0, 1999])
  })
})

describe('stepping', () => {
  test.each([
    ['46588', '1', 1, '46589'],
    ['2648.5', '0.05', 1, '2648.55'],
    ['0.1', '0.2', 1, '0.2'],
    ['28.37', '0.05', -1, '28.35'],
    ['28.37', '0.05', 1, '28.40'],
    ['', '1', 1, '1'],
    ['0', '1', -1, '-1'],
    ['abc', '1', 1, 'abc'],
  ] as const)('%s by %s, %i', (value, step, direction, next) =>
    expect(stepped(value, step, direction)).toBe(next),
  )
  test('stays within its bounds', () => {
    expect(stepped('1', '1', -1, '1')).toBe('1')
    expect(stepped('99', '5', 1, '1', '100')).toBe('100')
  })
  test('up then down comes back on the grid', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -100000, max: 100000 }),
        fc.constantFrom('1', '5', '0.5', '0.05', '0.01'),
        (ticks, step) => {
          const start = stepped(stepped(String(ticks), step, 1), step, -1)
          expect(stepped(stepped(start, step, 1), step, -1)).toBe(start)
        },
      ),
    )
  })
  test('typed full-width text becomes plain', () => expect(plainNumber('４６，５８８．５')).toBe('46588.5'))
  test.each([
    ['12,5', '12,5'],
    ['45538,0', '45538,0'],
    ['1,2345', '1,2345'],
    [',500', ',500'],
    ['1,234,567.8', '1234567.8'],
    ['-1,234', '-1234'],
    ['1, 234', '1234'],
  ])('a comma that parts no thousands stays, to be refused: %s', (typed, plain) =>
    expect(plainNumber(typed)).toBe(plain),
  )
  test('true minus becomes ASCII', () => expect(plainNumber('−5')).toBe('-5'))
})
