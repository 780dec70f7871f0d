// Until when a channel waits for the one before it in the order.
import { expect, test } from 'vitest'
import { waitsUntil } from '#server/notify/still-relevant.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 26, 2) + seconds * 1_000).toISOString()
const elsewhere = { done: null, sent_at: null, coming: false }

test('nobody before it is on the way: it goes', () => {
  expect(waitsUntil(elsewhere, at(60), 60)).toBeNull()
})

test('its time counts from when the one before was sent, however late that was', () => {
  // An outage of an hour: both were due, one went a second ago.
  expect(waitsUntil({ ...elsewhere, sent_at: at(3_599) }, at(3_600), 60)).toBe(at(3_659))
  expect(waitsUntil({ ...elsewhere, sent_at: at(0) }, at(60), 60)).toBeNull()
})

test('one that is being tried, or is about to be, is waited for in short steps', () => {
  expect(waitsUntil({ ...elsewhere, coming: true }, at(60), 60)).toBe(at(62))
  expect(waitsUntil({ ...elsewhere, sent_at: at(0), coming: true }, at(60), 60)).toBe(at(62))
})
