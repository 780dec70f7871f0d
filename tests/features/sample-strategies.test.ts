// The sample strategies are strategies: whatever the list may be given by the server, these are as well.
import { expect, test } from 'vitest'
import { strategy } from '#contract/strategy.ts'
import { SAMPLES } from '#features/strategy/sample/samples.ts'
import { warningText } from '#text/strategy.ts'

const UUID = '01890000-0000-7000-8000-000000000000'

test.each(SAMPLES.map((one) => [one.name, one] as const))('%s', (_, one) => {
  // their ids and hashes are words, so that nothing of the server can be meant by them
  const ids = { id: UUID, owner: { ...one.owner, id: UUID }, created_by: { ...one.created_by, id: UUID } }
  const last_signal = one.last_signal && { ...one.last_signal, id: UUID, strategy_id: UUID }
  const my_notify = { ...one.my_notify, strategy_id: UUID }
  const { error } = strategy.safeParse({ ...one, ...ids, last_signal, my_notify })
  expect(error?.issues ?? []).toEqual([])
})

test('every condition of the list is among them', () => {
  const has = (is: (one: (typeof SAMPLES)[number]) => boolean) => SAMPLES.some(is)
  expect({
    kinds: new Set(SAMPLES.map(({ kind }) => kind)).size,
    up: has(({ summary }) => summary.net_profit > 0),
    down: has(({ summary }) => summary.net_profit < 0),
    untraded: has(({ last_signal }) => last_signal === null),
    paused: has(({ status }) => status === 'paused'),
    several: has(({ positions }) => positions.length > 1),
    short: has(({ positions }) => positions.some(({ quantity }) => quantity < 0)),
    warned: has((one) => warningText(one) !== null),
  }).toEqual({
    kinds: 3,
    up: true,
    down: true,
    untraded: true,
    paused: true,
    several: true,
    short: true,
    warned: true,
  })
})
