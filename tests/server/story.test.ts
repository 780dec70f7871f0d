// The demonstration data is a believable one: in order, in session, positions that follow on from each other.
import { expect, test } from 'vitest'
import { story } from '#server/seed/story.ts'
import { sessionAt } from '#trading/calendar.ts'

test('ninety days of messages rise in time, stand inside a session and follow on', () => {
  const told = story('2026-11-20', 90)
  expect(told.length).toBeGreaterThan(200)
  const position = [0, 0]
  let last = 0
  for (const { at_ms, strategy, body } of told) {
    expect(at_ms).toBeGreaterThanOrEqual(last)
    last = at_ms
    const at = new Date(at_ms).toISOString()
    expect(
      sessionAt(at, { market: 'futures', has_night: true, closed_days: new Set() }).session,
      at,
    ).not.toBe('closed')
    const said = JSON.parse(body) as Record<string, string>
    const signed = (side: string, size: string) => (side === 'short' ? -1 : 1) * Number(size)
    expect(signed(said['prev_market_position'] as string, said['prev_market_position_size'] as string)).toBe(
      position[strategy],
    )
    position[strategy] = signed(said['market_position'] as string, said['market_position_size'] as string)
  }
})

test('the same day tells the same story', () => {
  expect(story('2026-11-20', 30)).toEqual(story('2026-11-20', 30))
})
