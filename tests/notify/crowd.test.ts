// When messages are a crowd: noticed within the fifth of a second in which they come, over in the second one after it.
import { expect, test } from 'vitest'
import { Crowd } from '#server/ingest/crowd.ts'

test('a hundred signals a second, evenly, are no crowd', () => {
  const crowd = new Crowd()
  for (let ms = 0; ms < 5_000; ms += 10) {
    crowd.add(1, ms)
    expect(crowd.isThere(ms)).toBe(false)
  }
})

test('fifty in a fifth of a second are one, from the fiftieth on', () => {
  const crowd = new Crowd()
  for (let n = 0; n < 49; n++) crowd.add(1, 1_000 + n)
  expect(crowd.isThere(1_049)).toBe(false)
  crowd.add(1, 1_050)
  expect(crowd.isThere(1_050)).toBe(true)
})

test('it is over when a whole window has passed without them', () => {
  const crowd = new Crowd()
  crowd.add(256, 1_100)
  expect(crowd.isThere(1_399)).toBe(true)
  expect(crowd.isThere(1_400)).toBe(false)
  crowd.add(256, 1_450)
  expect(crowd.isThere(3_000)).toBe(false)
})
