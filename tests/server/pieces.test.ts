// Long work lets others in between: pieces with a turn of the event loop after each, accounts one after the other, files two at a time.
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { FileAnswer } from '#contract/endpoint.ts'
import { exportAccount } from '#contract/profile.ts'
import { exportSignals, signalFeed, strategyChain } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { Exports } from '#server/limits/concurrency.ts'
import { Background } from '#server/limits/fair-queue.ts'
import { writeCursor } from '#server/stream/read.ts'
import { append, bareOf } from '#tests/support/append.ts'
import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { send } from '#tests/support/people.ts'
import { openStream } from '#tests/support/stream.ts'
import { record } from '#tests/trading/records.ts'

const idle = { at_once: 1, busy: () => false }

/** Counts turns of the event loop until it is told to stop. */
function turns(): { count: number; stop(): void } {
  let over = false
  const counted = {
    count: 0,
    stop() {
      over = true
    },
  }
  const next = () => {
    counted.count += 1
    if (!over) setImmediate(next)
  }
  setImmediate(next)
  return counted
}

describe('work in pieces', () => {
  test('an account with many pieces does not keep the others waiting', async () => {
    const background = new Background(idle)
    const done: string[] = []
    const piece = (account: string) => background.piece(account, () => void done.push(account))
    await Promise.all([...Array.from({ length: 4 }, () => piece('a')), piece('b'), piece('c'), piece('b')])
    expect(done).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a'])
  })

  test('of one account the kinds take turns: streams that never end do not hold up a file or a look', async () => {
    const background = new Background(idle)
    const done: string[] = []
    const piece = (kind: 'look' | 'file' | 'stream') =>
      background.piece('a', () => void done.push(kind), kind)
    await Promise.all([
      ...Array.from({ length: 4 }, () => piece('stream')),
      piece('file'),
      piece('look'),
      piece('file'),
    ])
    expect(done).toEqual(['stream', 'file', 'look', 'stream', 'file', 'stream', 'stream'])
  })

  test('the loop turns after every piece; one that fails holds up nobody', async () => {
    const background = new Background(idle)
    const counted = turns()
    const at: number[] = []
    const pieces = Array.from({ length: 5 }, (_, i) =>
      background.piece('a', () => {
        at.push(counted.count)
        if (i === 2) throw new Error('broken')
      }),
    )
    expect((await Promise.allSettled(pieces)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    counted.stop()
    expect(new Set(at).size).toBe(5)
  })

  test('signals being stored go first, but not for ever', async () => {
    let asked = 0
    const busy = () => {
      asked += 1
      return true
    }
    const background = new Background({ at_once: 1, busy })
    // How long it waits is a matter of the clock, and a piece whose turn comes late has waited: one of many is seen doing it.
    let waited = false
    for (let n = 0; n < 1_000 && !waited; n++) {
      asked = 0
      await background.piece('a', () => {
        waited = asked > 1
      })
    }
    expect(waited).toBe(true)
  })
})

describe('exports', () => {
  const bounds = { at_once: 2, piece_ms: 0, waiting_most: 1, wait_ms: 60, rest_ms: 20, stalled_ms: 100_000 }
  async function* lines() {
    for (let n = 0; n < 4; n++) yield `${n}\n`
  }
  const file = (): FileAnswer => ({ filename: 'a', content_type: 'text/csv', chunks: lines() })
  const rest = async (one: AsyncIterator<string>) => {
    let text = ''
    for (let step = await one.next(); !step.done; step = await one.next()) text += step.value
    return text
  }
  const open = async (exports: Exports, account: string) =>
    (await exports.file(account, file)).chunks[Symbol.asyncIterator]()

  test('a piece is as many parts as there is time for', async () => {
    const pieces = async (piece_ms: number) => {
      const { chunks } = await new Exports(new Background(idle), { ...bounds, piece_ms }).file('a', file)
      const found: string[] = []
      for await (const chunk of chunks) found.push(chunk)
      return found
    }
    expect(await pieces(100_000)).toEqual(['0\n1\n2\n3\n'])
    expect(await pieces(0)).toEqual(['0\n', '1\n', '2\n', '3\n'])
  })

  test('one per account, two in all; the third waits, the next is told when', async () => {
    const exports = new Exports(new Background(idle), { ...bounds, wait_ms: 100_000, rest_ms: 100_000 })
    const first = await open(exports, 'a')
    expect(await refused(exports.file('a', file))).toMatchObject({
      code: 4290,
      details: { retry_after_s: 10 },
    })
    await open(exports, 'b')
    const third = open(exports, 'c')
    expect(await refused(exports.file('d', file))).toMatchObject({
      code: 4290,
      details: { retry_after_s: 10 },
    })
    expect(await rest(first)).toBe('0\n1\n2\n3\n')
    expect(await rest(await third)).toBe('0\n1\n2\n3\n')
  })

  test('whoever waited too long is told, too, and may come again', async () => {
    const exports = new Exports(new Background(idle), { ...bounds, rest_ms: 100_000 })
    await open(exports, 'a')
    const second = await open(exports, 'b')
    expect(await refused(exports.file('c', file))).toMatchObject({ code: 4290 })
    await second.return?.()
    expect(await rest(await open(exports, 'c'))).toBe('0\n1\n2\n3\n')
  })

  test('readers that do not read hold nobody up, and go on when they read again', async () => {
    const exports = new Exports(new Background(idle), bounds)
    const slow = [await open(exports, 'a'), await open(exports, 'b')]
    for (const one of slow) await one.next()
    expect(await rest(await open(exports, 'c'))).toBe('0\n1\n2\n3\n')
    for (const one of slow) expect(await rest(one)).toBe('1\n2\n3\n')
  })

  test('a file that nobody reads is over after a while', async () => {
    const exports = new Exports(new Background(idle), { ...bounds, stalled_ms: 30 })
    const left = await open(exports, 'a')
    await new Promise((next) => setTimeout(next, 60))
    await expect(left.next()).rejects.toThrow('too long')
    expect(await rest(await open(exports, 'a'))).toBe('0\n1\n2\n3\n')
  })
})

describeEngines('a long answer', (engine) => {
  let desk: Desk
  let strategy: Strategy
  beforeAll(async () => {
    desk = await openDesk({ engine })
    strategy = await desk.make({ settings: { product_code: 'MXF' } })
    const { app } = desk.server
    const drafts = Array.from({ length: 900 }, (_, i) =>
      bareOf(strategy.id, record(i + 1, i % 2 ? 'sell' : 'buy', 1, 46_500)),
    )
    await append(app, strategy.id, app.fold_cache, drafts)
  })
  afterAll(() => desk.server.close())
  const authorization = () => ({ authorization: `Bearer ${desk.person.token}` })
  /** What `work` gives, and in how many turns of the loop its pieces were asked for. */
  async function inTurns<T>(work: () => Promise<T>): Promise<{ given: T; took: number }> {
    const { background } = desk.server.app
    const counted = turns()
    const seen = new Set<number>()
    const piece = background.piece.bind(background)
    background.piece = (...asked: Parameters<typeof piece>) => {
      seen.add(counted.count)
      return piece(...asked) as never
    }
    const given = await work()
    counted.stop()
    background.piece = piece
    return { given, took: seen.size }
  }

  test('a file comes whole, and the loop turns whenever a piece has had its time', async () => {
    // A clock that goes on 3 ms whenever somebody looks: how much fits into a piece is not a matter of the machine.
    let now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 3
      return now
    })
    onTestFinished(() => void clock.mockRestore())
    for (const format of ['csv', 'json'] as const) {
      const { given: text, took } = await inTurns(async () =>
        (await send(desk.server, exportSignals, { id: strategy.id, format }, authorization())).text(),
      )
      expect(format === 'csv' ? text.split('\r\n').length - 2 : JSON.parse(text).records.length).toBe(900)
      // A part of the file is at most 100 records, and three parts are 9 ms.
      expect(took).toBeGreaterThanOrEqual(900 / 100 / 3)
    }
  })

  test('a long page says what short ones say, and the loop turns while it is shown, checked and written', async () => {
    const { person, server } = desk
    const page = (after: number, limit: number) => person.call(signalFeed, { after, limit })
    const { given: text, took } = await inTurns(async () =>
      (await send(server, signalFeed, { after: 0, limit: 900 }, authorization())).text(),
    )
    const { error, result } = JSON.parse(text) as { error: unknown; result: unknown }
    const items: unknown[] = []
    let last = await page(0, 200)
    for (; last.more; last = await page(last.next_after, 200)) items.push(...last.items)
    items.push(...last.items)
    expect(items).toHaveLength(900)
    expect(error).toEqual({ success: true, code: 0, msg: '', text: '' })
    expect(result).toEqual({ ...last, items, server_time: expect.any(String), access: expect.any(Array) })
    expect(took).toBeGreaterThanOrEqual(1 + 900 / 200)
    const chain = await inTurns(() => person.call(strategyChain, { id: strategy.id, limit: 900 }))
    expect(chain.given.items.map(({ chain_seq }) => chain_seq)).toEqual(items.map((_, i) => i + 1))
    expect(chain.took).toBeGreaterThanOrEqual(900 / 200)
  })

  test('who comes back with an old cursor is read to in turns with the others, page by page', async () => {
    const { person, server } = desk
    const { background } = server.app
    const kinds: unknown[] = []
    const piece = background.piece.bind(background)
    background.piece = (...asked: Parameters<typeof piece>) => {
      kinds.push(asked[2])
      return piece(...asked) as never
    }
    onTestFinished(() => {
      background.piece = piece
    })
    const cursor = writeCursor(new Map([[`p:${person.uid}` as const, 0]]), server.app.lineage.id)
    const reader = await openStream(server, person.token, cursor)
    expect((await reader.until(900)).length).toBeGreaterThanOrEqual(900)
    await reader.close()
    expect(kinds.filter((kind) => kind === 'stream').length).toBeGreaterThan(1)
  })

  test('a second file of the same account is told when to come back; then it gets it', async () => {
    const { exports } = desk.server.app
    async function* nothing() {
      yield ''
    }
    const held = await exports.file(desk.person.uid, () => ({
      filename: 'a',
      content_type: 'text/csv',
      chunks: nothing(),
    }))
    const second = await send(desk.server, exportAccount, {}, authorization())
    const { error } = (await second.json()) as { error: { code: number; text: string } }
    expect([second.status, second.headers.get('retry-after'), error.code]).toEqual([429, '10', 4290])
    expect(error.text).toBe('一次只能匯出一個檔案，請等前一個下載完再試')
    await held.chunks[Symbol.asyncIterator]().return?.()
    const third = await send(desk.server, exportAccount, {}, authorization())
    expect(JSON.parse(await third.text()).strategies[0].record.records).toHaveLength(900)
  })
})
