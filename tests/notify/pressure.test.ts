// When the intake is pressed: noticed within the fifth of a second in which they come, over in the second one after it.
import { expect, test } from 'vitest'
import { Pressure } from '#server/limits/rate.ts'

test('four hundred signals a second, evenly, are no pressure', () => {
  const pressure = new Pressure()
  for (let ms = 0; ms < 5_000; ms += 2.5) {
    pressure.add(1, ms)
    expect(pressure.isHigh(ms)).toBe(false)
  }
})

test('a hundred in a fifth of a second are, from the hundredth on', () => {
  const pressure = new Pressure()
  for (let n = 0; n < 99; n++) pressure.add(1, 1_000 + n)
  expect(pressure.isHigh(1_099)).toBe(false)
  pressure.add(1, 1_100)
  expect(pressure.isHigh(1_100)).toBe(true)
})

test('it is over when a whole window has passed without them', () => {
  const pressure = new Pressure()
  pressure.add(256, 1_100)
  expect(pressure.isHigh(1_399)).toBe(true)
  expect(pressure.isHigh(1_400)).toBe(false)
  pressure.add(256, 1_450)
  expect(pressure.isHigh(3_000)).toBe(false)
})
