// Every channel that goes out of the server has another side in the tests, one of its own.
import { expect, test } from 'vitest'
import { CHANNELS } from '#contract/channels.ts'
import { DOUBLES } from '#tests/support/channel-doubles.ts'

test('each has one that starts, found nothing wrong yet, and ends; only what stays in the app has none', async () => {
  expect(CHANNELS.filter((channel) => DOUBLES[channel] === null)).toEqual(['in_app'])
  for (const channel of CHANNELS) {
    const double = await DOUBLES[channel]?.()
    expect(double?.wrong ?? [], channel).toEqual([])
    await double?.close()
  }
})
