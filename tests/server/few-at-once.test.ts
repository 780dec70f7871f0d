// Heavy work in turns: who goes first, how many wait, and that nobody is kept waiting for longer than was promised.
import { expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { fewAtOnce } from '#server/limits/concurrency.ts'

/** Works that end when they are told to, on a clock that only `end` moves. */
function desk(options: { waiting_most?: number; patience_ms?: number } = {}) {
  let now = 0
  const running: { name: string; end: () => void }[] = []
  const told: string[] = []
  const inTurn = fewAtOnce({
    ...{ at_once: 1, waiting_most: 100, ...options, clock: () => now },
    refused: () => new ApiError(4290, { retry_after_s: 5 }),
  })
  const settled = () => new Promise((next) => setImmediate(next))
  return {
    told,
    /** Asks for a turn; what became of it stands in `told`. */
    async ask(name: string, first = false) {
      inTurn(() => new Promise<void>((end) => running.push({ name, end })), first).then(
        () => told.push(`${name} done`),
        (error: ApiError) => told.push(`${name} ${error.status}`),
      )
      await settled()
    },
    /** Lets the running work end after so many milliseconds; gives its name. */
    async end(after_ms: number) {
      now += after_ms
      const work = running.shift()
      work?.end()
      await settled()
      return work?.name
    },
  }
}

test('strangers wait for each other, and who goes first for none of them', async () => {
  const { ask, end } = desk()
  for (const name of ['a', 'b', 'c']) await ask(name)
  await ask('owner', true)
  expect([await end(10), await end(10), await end(10), await end(10)]).toEqual(['a', 'owner', 'b', 'c'])
})

test('nobody is taken who would wait longer than the patience, by what works take of late', async () => {
  const { ask, end, told } = desk({ patience_ms: 2_000 })
  await ask('a')
  // The first work says how long: half a second.
  await end(500)
  for (const name of ['b', 'c', 'd', 'e', 'f', 'g']) await ask(name)
  expect(told).toEqual(['a done', 'g 429'])
  await ask('owner', true)
  expect([await end(500), await end(500)]).toEqual(['b', 'owner'])
  // Quicker works let more of them in, and one that stood still for a minute says nothing.
  for (let n = 0; n < 4; n++) await end(10)
  for (const name of ['i', 'j', 'k']) {
    await ask(name)
    await end(10)
  }
  await ask('slept')
  await end(60_000)
  for (let n = 0; n < 9; n++) await ask(`h${n}`)
  expect(told.filter((line) => line.endsWith('429'))).toEqual(['g 429'])
})

test('somebody who finds nobody at work is never refused, however long works take', async () => {
  const { ask, end, told } = desk({ patience_ms: 2_000 })
  await ask('a')
  await end(60_000)
  await ask('b')
  expect(await end(1)).toBe('b')
  expect(told).toEqual(['a done', 'b done'])
})

test('so many wait, the next one is refused; each line for itself', async () => {
  const { ask, told } = desk({ waiting_most: 2 })
  for (const name of ['a', 'b', 'c', 'd']) await ask(name)
  for (const name of ['x', 'y', 'z']) await ask(name, true)
  expect(told).toEqual(['d 429', 'z 429'])
})
