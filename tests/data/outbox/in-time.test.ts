// A signal that waits goes by itself only while the server's clock says that it is young: the device's own may have been set back.
import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { createOffset } from '#data/clock.ts'
import { beginOnFreshDevice } from '../support/fresh-device.ts'
import { fire, note, type ServerSide } from '../support/outbox-server.ts'
import type { Tab, World } from '../support/outbox-world.ts'

const HOUR = 3_600_000

let server: ServerSide
let world: World
let uid: string
beginOnFreshDevice((now) => {
  ;({ server, world, uid } = now)
})

const tab = () => world.tabs[0] as Tab
const enter = (text: string) => tab().outbox.send(fire, { id: 'L', text }, { label: text })
const bodies = () => server.done().map(({ body }) => body)
const states = async () => (await world.rows(uid)).map(({ label, state }) => `${label} ${state}`)

test('entered three hours ago, the clock set back to half a minute after it: it asks, and goes once when the person says so', async () => {
  // the server's clock is the true one; this is what the device's said then
  world.clock.advance(-3 * HOUR)
  world.network(false)
  expect(await enter('alt')).toMatchObject({ queued: true })
  world.clock.advance(30_000)
  world.network(true)
  await world.rest()
  expect(bodies()).toEqual([])
  expect(await states()).toEqual(['alt needs_confirm'])
  const [row] = await world.rows(uid)
  await tab().outbox.retry(row?.key ?? '')
  await world.rest()
  expect(bodies()).toEqual([{ text: 'alt', confirmed_late: true }])
  expect(await world.rows(uid)).toEqual([])
})

test('entered by a clock that ran ahead: its age is not to be believed, it asks', async () => {
  world.clock.advance(3 * HOUR)
  world.network(false)
  await enter('morgen')
  world.network(true)
  await world.rest()
  expect(bodies()).toEqual([])
  expect(await states()).toEqual(['morgen needs_confirm'])
})

test('what follows an old one waits behind it; what is no signal goes', async () => {
  world.clock.advance(-3 * HOUR)
  world.network(false)
  await enter('alt')
  await enter('neu')
  await tab().outbox.send(note, { id: 'M', text: 'Notiz' }, { label: 'Notiz' })
  world.clock.advance(30_000)
  world.network(true)
  await world.rest()
  expect(bodies()).toEqual([{ text: 'Notiz' }])
  expect(await states()).toEqual(['alt needs_confirm', 'neu waiting'])
})

test('with a right clock it goes by itself, after one question; with a network there is nothing to ask', async () => {
  expect(await enter('sofort')).toEqual({ queued: false, result: { text: 'sofort' } })
  expect(server.asked()).toBe(0)
  world.network(false)
  await enter('gleich')
  world.network(true)
  await world.rest()
  expect(bodies().map(({ text }) => text)).toEqual(['sofort', 'gleich'])
  expect(server.asked()).toBe(1)
})

test('a portal that answers every question tells no time; a time that cannot be heard is waited for', async () => {
  world.network(false)
  await enter('eins')
  world.troubles.push(...Array.from({ length: 20 }, () => 'portal' as const))
  world.network(true)
  await world.rest()
  expect(bodies()).toEqual([])
  expect(await states()).toEqual(['eins waiting'])
  world.troubles.length = 0
  world.look()
  await world.rest()
  expect(bodies()).toEqual([{ text: 'eins' }])
})

test('how far the device is off: noise is evened out, a clock that was set counts from the next answer on', () => {
  const offset = createOffset(200)
  expect(offset.ms()).toBe(200)
  for (const ms of [0, 900, -400, 100, 20_000]) offset.add(ms)
  expect(offset.ms()).toBe(100)
  offset.add(3 * HOUR)
  expect(offset.ms()).toBe(3 * HOUR)
  offset.add(3 * HOUR + 800)
  offset.add(3 * HOUR - 300)
  expect(offset.ms()).toBe(3 * HOUR)
})
