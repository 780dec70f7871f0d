// Days as people write them: what is read, what is refused, and that no zone moves one.
import { afterEach, expect, test, vi } from 'vitest'
import { ymd } from '#text/time.ts'
import { dayFrom, isDay } from '#ui/day.ts'
import { dayLabel, isBetween, today } from '#ui/mantine/DayInput.tsx'

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  ['2026/12/31', '2026-12-31'],
  ['2026-12-31', '2026-12-31'],
  ['2026.1.5', '2026-01-05'],
  ['2026年1月5日', '2026-01-05'],
  ['2026 年 1 月 5 日', '2026-01-05'],
  ['２０２６／０１／０５', '2026-01-05'],
  ['20260105', '2026-01-05'],
  ['1/5', '2026-01-05'],
  ['2028/2/29', '2028-02-29'],
])('%s is read as %s', (text, day) => {
  expect(dayFrom(text, '2026-11-23')).toBe(day)
})

test.each([
  '',
  '2026',
  '2026/2/29',
  '2026/13/1',
  '2026/0/1',
  '2026/1/0',
  '12/31/2026',
  '115/1/5',
  '明天',
  '2026/1/5 8:00',
])('%s is no day', (text) => {
  expect(dayFrom(text, '2026-11-23')).toBeNull()
})

test('every day of five years stands as it was written', () => {
  for (let at = Date.UTC(2024, 0, 1); at < Date.UTC(2029, 0, 1); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10)
    expect(isDay(day)).toBe(true)
    expect(dayFrom(ymd(day), '2026-11-23')).toBe(day)
    expect(dayFrom(dayLabel(day).replace(/ 週.$/, ''), '2026-11-23')).toBe(day)
  }
})

test('today is the day of Taipei', () => {
  vi.useFakeTimers({ now: new Date('2026-11-22T16:00:00Z') })
  expect(today()).toBe('2026-11-23')
  vi.setSystemTime(new Date('2026-11-22T15:59:59Z'))
  expect(today()).toBe('2026-11-22')
})

test('a day says its weekday; a span tints what lies between its ends', () => {
  expect(dayLabel('2026-11-23')).toBe('2026 年 11 月 23 日 週一')
  const among = (span: readonly [string, string]) =>
    ['2026-11-08', '2026-11-09', '2026-11-10', '2026-11-27', '2026-12-31'].filter((day) =>
      isBetween(day, span),
    )
  expect(among(['2026-11-09', '2026-11-27'])).toEqual(['2026-11-10'])
  expect(among(['2026-11-09', ''])).toEqual(['2026-11-10', '2026-11-27', '2026-12-31'])
  expect(among(['', '2026-11-27'])).toEqual([])
})
