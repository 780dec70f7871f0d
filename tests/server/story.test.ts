// The demonstration data is a believable one: in order, in session, positions that follow on from each other.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { closedDays } from '#server/record/calendar.ts'
import { seedDemo, stockStory } from '#server/seed/demo.ts'
import { closedText, type Desk, nextMove } from '#server/seed/feed.ts'
import { story, Tape } from '#server/seed/story.ts'
import { instantOf, taipeiDay, tradingSessionAt } from '#trading/calendar.ts'
import { tradingSessionNow } from '#trading/day.ts'
import { scaled } from '#trading/decimal.ts'
import { onTick, stockTick, stockType } from '#trading/products.ts'
import { startServer } from '../support/server.ts'
import { sized } from '../support/tier.ts'

/** The shipped calendar: an empty data folder has none of its own. */
const closed_days = closedDays({ config: { data_dir: '/nowhere' } })
const hours = { market: 'futures', has_night: true, closed_days } as const

test.each([
  ['2026-11-20', '10:07:00', 'a trade of the day trader may be running'],
  ['2026-11-22', '21:00:00', 'Sunday evening'],
  ['2026-11-23', '04:37:00', "the small hours of a Monday, which are no Sunday's night"],
  ['2026-10-09', '12:00:00', 'a holiday'],
  ['2026-12-17', '15:40:00', 'the night session has begun'],
])('before %s %s (%s): messages rise in time, stand inside a session and follow on', (day, time) => {
  const now = instantOf(day, time)
  const position = [0, 0]
  let last = 0
  for (const [days, seed] of [
    [90, undefined],
    [30, 20_261_121],
  ] as const) {
    const told = story(now, days, closed_days, seed)
    expect(told.length).toBeGreaterThan(days * 2)
    position.fill(0)
    last = 0
    for (const { at_ms, strategy, body } of told) {
      expect(at_ms).toBeGreaterThanOrEqual(last)
      last = at_ms
      const at = new Date(at_ms).toISOString()
      const { session } = tradingSessionAt(at, hours)
      // the day trader's strategy is one of the day session
      expect(strategy === 0 ? ['day'] : ['day', 'night'], at).toContain(session)
      const said = JSON.parse(body) as Record<string, string>
      const signed = (side: string, size: string) => (side === 'short' ? -1 : 1) * Number(size)
      expect(
        signed(said['prev_market_position'] as string, said['prev_market_position_size'] as string),
      ).toBe(position[strategy])
      position[strategy] = signed(said['market_position'] as string, said['market_position_size'] as string)
    }
    expect(last).toBeLessThan(Date.parse(now))
    expect(position[0]).toBe(0)
  }
})

test('the shares: in order, while the exchange is open, on a tick, sold as many as were bought', () => {
  const told = stockStory(instantOf('2026-11-20', '10:07:00'), 90, closed_days)
  expect(told.length).toBeGreaterThan(30)
  const held: Record<string, number> = {}
  let last = 0
  for (const { at_ms, body } of told) {
    expect(at_ms).toBeGreaterThanOrEqual(last)
    last = at_ms
    const { symbol, action, quantity, price } = JSON.parse(body) as Record<string, string> & {
      quantity: number
    }
    const at = new Date(at_ms).toISOString()
    expect(tradingSessionAt(at, { market: 'stock', has_night: false, closed_days }).session, at).toBe('day')
    const tick = stockTick(Number(price), stockType(String(symbol)), taipeiDay(at))
    expect(onTick(scaled(String(price)), tick), body).toBe(true)
    const before = held[String(symbol)] ?? 0
    held[String(symbol)] = action === 'buy' ? before + quantity : before - quantity
    expect(action === 'buy' ? before : held[String(symbol)], body).toBe(0)
  }
})

test('it goes up to the day it is shown on', () => {
  const told = story(instantOf('2026-11-20', '13:50:00'), 30, closed_days)
  expect(taipeiDay(new Date(told.at(-1)?.at_ms ?? 0).toISOString())).toBe('2026-11-20')
})

test('the same moment tells the same story', () => {
  const now = instantOf('2026-11-20', '13:50:00')
  expect(story(now, 30, closed_days)).toEqual(story(now, 30, closed_days))
})

test('the live feed speaks only while the market is open, and the day trader holds nothing over night', () => {
  const tape = new Tape(7, 46_000)
  const desks: [Desk, Desk] = [
    { ticker: 'MXF1!', lots: 2, position: 0 },
    { ticker: 'TXF1!', lots: 1, position: 0 },
  ]
  const spoke = new Set<string>()
  // from a Thursday before a holiday over the weekend to the Wednesday after, every minute, in the soak every 20 seconds
  const end = Date.parse(instantOf('2026-09-30', '06:00'))
  for (let ms = Date.parse(instantOf('2026-09-24', '08:00')); ms < end; ms += sized(60_000, 20_000)) {
    const now = tradingSessionNow(new Date(ms).toISOString(), hours)
    const move = nextMove(tape, desks, ms, now)
    expect(move === null).toBe(now.session === 'closed')
    if (now.session !== 'day') expect(desks[0].position).toBe(0)
    if (!move) continue
    spoke.add(`${now.session} ${move.which}`)
    expect(move.after).not.toBe(desks[move.which].position)
    desks[move.which].position = move.after
  }
  expect([...spoke].sort()).toEqual(['day 0', 'day 1', 'night 1'])
})

test('while it is closed it says until when', () => {
  const sunday = tradingSessionNow(instantOf('2026-11-22', '21:00'), hours)
  expect(closedText(sunday)).toContain('等到 11/23 週一 08:45 日盤開盤再送')
})

test('whoever opens its folder is not told that the clock jumped', async () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-demo-'))
  await seedDemo(readConfig({ DATA_DIR: data_dir, LOG_LEVEL: 'silent' }), () => undefined, 3)
  // it looks at the clock as it starts, and its stop waits for that
  await (await startServer({ data_dir })).close()
  const { app, close } = await startServer({ data_dir })
  const row = await app.db
    .selectFrom('ground')
    .select('value')
    .where('name', '=', 'clock')
    .executeTakeFirstOrThrow()
  expect(JSON.parse(row.value)).toMatchObject({ doubted_for: null })
  await close()
  rmSync(data_dir, { recursive: true, force: true })
})
