// What no event tells: what was answered before anything was heard, and what nobody answered while the server was away.
import 'fake-indexeddb/auto'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { NetworkError } from '#data/failure.ts'
import { dashboardQueries } from '#data/nouns/board.ts'
import { marketQueries } from '#data/nouns/market.ts'
import { record } from '../support/backend.ts'
import { until } from '../support/device.ts'
import { asked, backend, heardUpTo, online, open, plugIn, type Tab, unplug } from '../support/tab.ts'

beforeEach(plugIn)
afterEach(unplug)

const says = (latest: unknown) => backend.knows('GET', '/dashboard', { context: 'p:u1', latest })
/** A screen that shows the dashboard; the last answer it was given. */
function watch({ data }: Tab) {
  const observer = new QueryObserver(data.query, dashboardQueries.mine('personal'))
  const stop = observer.subscribe(() => {})
  return { latest: () => observer.getCurrentResult().data?.latest as unknown, stop }
}

test('what changed between an answer and the first stream of the device is asked for again, once', async () => {
  says(['old'])
  const tab = open('u1', {}, false)
  const screen = watch(tab)
  await until(() => screen.latest() !== undefined)
  says(['new'])
  tab.data.begin()
  await online(tab)
  await until(() => (screen.latest() as string[])[0] === 'new')
  expect(asked('/dashboard').length).toBe(2)
  screen.stop()
})

test('an answer that is on its way is waited for, and then asked for again', async () => {
  const tab = open('u1', {}, false)
  let give = (_: unknown) => {}
  const given = new Promise<unknown>((resolve) => {
    give = resolve
  })
  const key = ['personal', 'slow'] as const
  let times = 0
  let cut = 0
  const observer = new QueryObserver(tab.data.query, {
    queryKey: key,
    queryFn: ({ signal }) => {
      signal.addEventListener('abort', () => cut++)
      return ++times === 1 ? given : 'new'
    },
  })
  const stop = observer.subscribe(() => {})
  tab.data.begin()
  await online(tab)
  expect(times).toBe(1)
  give('old')
  await until(() => observer.getCurrentResult().data === 'new')
  expect([times, cut]).toEqual([2, 0])
  stop()
})

test('a device that has listened before goes on from there: nothing is asked again', async () => {
  const first = open('u1')
  await online(first)
  await heardUpTo()
  first.data.stop()
  says(['old'])
  const tab = open(undefined, {}, false)
  const screen = watch(tab)
  await until(() => screen.latest() !== undefined)
  tab.data.begin()
  await online(tab)
  // heard and done: whatever the opening would have asked for has been asked
  backend.store('p:u1', record(1))
  backend.tell('p:u1', 'signal', record(1))
  await until(() => tab.data.signals.get(record(1).id))
  expect(asked('/dashboard').length).toBe(1)
  screen.stop()
})

test('where the first answers say where they stood, the stream begins there: nothing is asked twice, every event is told', async () => {
  backend.places()
  says(['old'])
  const tab = open('u1', {}, false)
  const screen = watch(tab)
  await until(() => screen.latest() !== undefined)
  // it happens after the answer, and before anything listens
  backend.store('p:u1', record(1))
  backend.tell('p:u1', 'signal', record(1))
  tab.data.begin()
  await online(tab)
  expect([...backend.streams].map(({ last_event_id }) => last_event_id)).toEqual(['0'])
  await until(() => tab.data.signals.get(record(1).id))
  says(['new'])
  await until(() => (screen.latest() as unknown[]).length === 1 && (screen.latest() as string[])[0] === 'new')
  // by the event, and by nothing else
  expect(asked('/dashboard').length).toBe(2)
  expect(asked('/user/profile').length).toBeLessThanOrEqual(1)
  screen.stop()
})

test('where nothing happened meanwhile, nothing at all is asked again; once heard, no place is asked for', async () => {
  backend.places()
  says(['old'])
  const tab = open('u1', {}, false)
  const screen = watch(tab)
  await until(() => screen.latest() !== undefined)
  tab.data.begin()
  await online(tab)
  // heard and done: whatever the opening would have asked for has been asked
  backend.store('p:u1', record(1))
  backend.tell('p:u1', 'signal', record(1))
  await until(() => tab.data.signals.get(record(1).id))
  expect(asked('/dashboard').map(({ headers }) => headers['lb-cursor'])).toEqual(['1'])
  await tab.data.query.fetchQuery({ ...dashboardQueries.mine('personal'), staleTime: 0 })
  expect(asked('/dashboard').at(-1)?.headers['lb-cursor']).toBeUndefined()
  screen.stop()
})

test('what was asked after the first answer came stands behind it: events in between ask for nothing again', async () => {
  backend.places()
  says(['old'])
  const tab = open('u1', {}, false)
  const screen = watch(tab)
  await until(() => screen.latest() !== undefined)
  backend.tell('p:u1', 'group', { id: 'g', change: 'updated' })
  backend.knows('GET', '/market/calendar', { of: 'calendar' })
  await tab.data.query.fetchQuery(marketQueries.calendar())
  tab.data.begin()
  await online(tab)
  expect([...backend.streams].map(({ last_event_id }) => last_event_id)).toEqual(['0'])
  backend.store('p:u1', record(1))
  backend.tell('p:u1', 'signal', record(1))
  await until(() => tab.data.signals.get(record(1).id))
  expect(asked('/market/calendar').length).toBe(1)
  screen.stop()
})

test('of answers on their way at the same time, those that stood elsewhere than the first are asked for again', async () => {
  backend.places()
  const tab = open('u1', {}, false)
  says(['old'])
  backend.knows('GET', '/market/calendar', { of: 'calendar' })
  let give = () => {}
  const held = new Promise<void>((done) => {
    give = done
  })
  backend.delay('/dashboard', held)
  const screen = watch(tab)
  await until(() => asked('/dashboard').length === 1)
  await tab.data.query.fetchQuery(marketQueries.calendar())
  // read before the calendar by where it stands, answered after it
  backend.tell('p:u1', 'group', { id: 'g', change: 'updated' })
  give()
  await until(() => screen.latest() !== undefined)
  says(['new'])
  tab.data.begin()
  await online(tab)
  await until(() => (screen.latest() as string[])[0] === 'new')
  expect([asked('/dashboard').length, asked('/market/calendar').length]).toEqual([2, 1])
  screen.stop()
})

test('what another tab hears while what is live is not loaded here waits for it', async () => {
  const first = open('u1')
  await online(first)
  says(['old'])
  const second = open(undefined, {}, false)
  const screen = watch(second)
  await until(() => screen.latest() !== undefined)
  backend.store('p:u1', record(1))
  says(['new'])
  backend.tell('p:u1', 'signal', record(1))
  await until(() => first.data.signals.get(record(1).id))
  // told over the channel, in a turn after that
  await new Promise((done) => setTimeout(done, 5))
  second.data.begin()
  await until(() => (screen.latest() as string[])[0] === 'new')
  screen.stop()
})

test('what nobody answered is asked for again once the server is heard again; what was refused is not', async () => {
  const tab = open('u1')
  await online(tab)
  let away = true
  let refusals = 0
  const screens = [
    async () => {
      if (away) throw new NetworkError('unreachable')
      return 'here'
    },
    async () => {
      refusals++
      throw new ApiError(4040)
    },
  ].map((queryFn, n) => new QueryObserver(tab.data.query, { queryKey: ['personal', n], queryFn }))
  const stops = screens.map((screen) => screen.subscribe(() => {}))
  const says = () => screens.map((screen) => screen.getCurrentResult().status)
  await until(() => says().join() === 'error,error')
  away = false
  backend.cut()
  await until(() => says().join() === 'success,error')
  expect(refusals).toBe(1)
  for (const stop of stops) stop()
})
