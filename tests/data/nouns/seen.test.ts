// What the app tells the server of signals that it showed and that were opened in it: each once, only of what one looked at.
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import type { SignalNotification } from '#contract/notification.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { keys } from '#data/keys.ts'
import type { Hands } from '#data/live/run.ts'
import { heard } from '#data/nouns/events.ts'
import { type SeenWatch, watchSeen } from '#data/nouns/seen.ts'
import { looked, opened } from '#data/nouns/signal.ts'

interface Item {
  signal_id: string
  channel: string
  shown_at?: string
  opened_at?: string
}

const START = Date.parse('2026-11-26T02:00:00.000Z')
const iso = (ms: number) => new Date(ms).toISOString()

/** A page, or two of one device where `told` is shared: time, paint and visibility are the test's. */
function page({ told = new Set<string>(), random = 0 } = {}) {
  let ms = START
  let uid: string | null = 'u1'
  let visible = true
  const timers = new Set<{ at: number; work: () => void }>()
  const changes = new Set<() => void>()
  const frames: (() => void)[] = []
  const calls: Item[][] = []
  const reads: string[][] = []
  const query = new QueryClient()
  const seen: SeenWatch = watchSeen({
    query,
    outbox: {
      send: (_endpoint, input) => {
        const { items, signal_ids } = input as { items?: Item[]; signal_ids?: string[] }
        if (items) calls.push(items)
        if (signal_ids) reads.push(signal_ids)
        return Promise.resolve({ queued: true, key: 'k' })
      },
    },
    clock: {
      now: () => ms,
      after(wait, work) {
        const timer = { at: ms + wait, work }
        timers.add(timer)
        return () => timers.delete(timer)
      },
    },
    now: () => ms,
    random: () => random,
    visible: () => visible,
    on_change(listener) {
      changes.add(listener)
      return () => changes.delete(listener)
    },
    ctx: () => 'personal',
    uid: () => uid,
    painted: (task) => void frames.push(task),
    first: (names) => {
      const fresh = names.filter((name) => !told.has(name))
      for (const name of fresh) told.add(name)
      return Promise.resolve(fresh)
    },
    report: (error) => {
      throw error
    },
  })
  const nothing = () => undefined
  // The handlers themselves are tested where they stand.
  const kinds = seen.watching((hands) => ({
    ...heard(hands),
    signal: nothing,
    'signal-voided': nothing,
    notification: nothing,
  }))({} as Hands)
  const all = {
    query,
    calls,
    reads,
    seen,
    kinds,
    signal: (id: string, more: Partial<SignalRecord> = {}, ctx: 'personal' | `org:${string}` = 'personal') =>
      kinds.signal(ctx, { id, quiet: false, received_at: iso(ms), ...more } as SignalRecord),
    tell: (id: string, more: Partial<SignalNotification> = {}) =>
      kinds.notification('personal', { kind: 'signal', signal_id: id, ...more } as SignalNotification),
    paint: () => {
      for (const frame of frames.splice(0)) frame()
    },
    look(on: boolean) {
      visible = on
      for (const change of changes) change()
    },
    leave: () => {
      uid = 'u2'
    },
    async pass(by: number) {
      const end = ms + by
      for (;;) {
        const next = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        ms = next ? Math.max(ms, next.at) : end
        if (!next) break
        timers.delete(next)
        next.work()
        await settled()
      }
      await settled()
    },
    items: () => calls.flat(),
  }
  open.push(seen)
  return all
}
/** What promises had to do is done. */
const settled = () => new Promise<void>((done) => setImmediate(done))

let open: SeenWatch[] = []
beforeEach(() => {
  for (const one of open) one.stop()
  open = []
})

test('what came while one looked on is told once, when it was painted, together with what came beside it', async () => {
  const at = page()
  at.signal('a')
  at.tell('a')
  expect(at.calls).toEqual([])
  await at.pass(40)
  at.paint()
  at.tell('b')
  at.signal('b')
  at.paint()
  await at.pass(1_900)
  expect(at.calls).toEqual([])
  await at.pass(200)
  const shown_at = iso(START + 40)
  expect(at.calls).toEqual([
    [
      { signal_id: 'a', channel: 'in_app', shown_at },
      { signal_id: 'b', channel: 'in_app', shown_at },
    ],
  ])
  at.signal('a')
  at.tell('a')
  at.paint()
  await at.pass(60_000)
  expect(at.calls).toHaveLength(1)
})

test('a clock that runs behind the server’s shows nothing before the server had it', async () => {
  const at = page()
  at.signal('a', { received_at: iso(START + 300) })
  at.tell('a')
  at.paint()
  await at.pass(10_000)
  expect(at.items()).toEqual([{ signal_id: 'a', channel: 'in_app', shown_at: iso(START + 300) }])
})

test('nothing is done before the paint, and of a burst there is one look', async () => {
  const at = page()
  for (let n = 0; n < 100; n++) at.signal(`s${n}`)
  for (let n = 0; n < 100; n++) at.tell(`s${n}`)
  await at.pass(60_000)
  expect(at.calls).toEqual([])
  at.paint()
  await at.pass(60_000)
  expect(at.calls.map(({ length }) => length)).toEqual([100])
})

test('not told: what is old, silent, of another identity, in no inbox, or came to a page that nobody looked at', async () => {
  const at = page()
  at.signal('old', { received_at: iso(START - 60_000) })
  at.signal('silent', { quiet: true })
  at.signal('theirs', {}, 'org:o1')
  at.signal('not wanted')
  for (const id of ['old', 'silent', 'theirs']) at.tell(id)
  at.tell('alarm', { kind: 'alarm' })
  at.signal('alarm')
  at.paint()
  at.look(false)
  at.signal('hidden')
  at.tell('hidden')
  at.paint()
  at.look(true)
  at.paint()
  // It was read again when the page came back.
  at.signal('hidden', { received_at: iso(START - 10_000) })
  at.paint()
  await at.pass(60_000)
  expect(at.items()).toEqual([])
})

test('a page that is put away before it painted has shown nothing; what it had shown goes at once', async () => {
  const at = page({ random: 1 })
  at.signal('a')
  at.tell('a')
  at.paint()
  at.signal('b')
  at.tell('b')
  at.look(false)
  await settled()
  expect(at.items().map(({ signal_id }) => signal_id)).toEqual(['a'])
  at.look(true)
  at.paint()
  await at.pass(60_000)
  expect(at.calls).toHaveLength(1)
})

test('what stands in the inbox is told opened, once, also when the page began with it; nothing else is', async () => {
  opened('a')
  const at = page()
  opened('x')
  await at.pass(60_000)
  expect(at.items()).toEqual([])
  const items = [
    { kind: 'signal', signal_id: 'a' },
    { kind: 'alarm', signal_id: 'x' },
  ]
  at.query.setQueryData(keys.person.signals, { pages: [{ items }], pageParams: [null] })
  await at.pass(5_000)
  expect(at.items()).toEqual([{ signal_id: 'a', channel: 'in_app', opened_at: iso(START) }])
  opened('a')
  await at.pass(60_000)
  expect(at.calls).toHaveLength(1)
})

test('shown and opened go together when it is opened before it was told', async () => {
  const at = page({ random: 1 })
  at.signal('a')
  at.tell('a')
  at.paint()
  await at.pass(500)
  opened('a')
  await at.pass(2_500)
  expect(at.calls).toEqual([
    [{ signal_id: 'a', channel: 'in_app', shown_at: iso(START), opened_at: iso(START + 500) }],
  ])
})

test('two pages of a device tell each of them once', async () => {
  const told = new Set<string>()
  const both = [page({ told }), page({ told, random: 0.5 })]
  for (const at of both) {
    at.signal('a')
    at.tell('a')
    at.paint()
    await at.pass(60_000)
  }
  expect(both.flatMap((at) => at.items())).toHaveLength(1)
})

test('whoever is somebody else now, or has left, tells nothing', async () => {
  const other = page()
  const left = page()
  for (const at of [other, left]) {
    at.signal('a')
    at.tell('a')
    at.paint()
  }
  other.leave()
  left.seen.stop()
  await other.pass(60_000)
  await left.pass(60_000)
  expect([...other.items(), ...left.items()]).toEqual([])
})

test('a storm of ten thousand is a few calls of at most two hundred, and no more wait than a thousand', async () => {
  const at = page()
  for (let n = 0; n < 10_000; n++) {
    at.signal(`s${n}`)
    at.tell(`s${n}`)
    if (n % 50 === 0) at.paint()
  }
  at.paint()
  await at.pass(60_000)
  expect(at.calls.every(({ length }) => length <= 200)).toBe(true)
  expect(at.items()).toHaveLength(1_000)
  expect(new Set(at.items().map(({ signal_id }) => signal_id)).size).toBe(1_000)
})

test('many who see the same signal do not speak in the same moment', async () => {
  const when: number[] = []
  for (let n = 0; n < 20; n++) {
    const at = page({ random: n / 20 })
    at.signal('a')
    at.tell('a')
    at.paint()
    let waited = 0
    for (; at.calls.length === 0; waited += 100) await at.pass(100)
    when.push(waited)
  }
  expect(Math.min(...when)).toBeGreaterThanOrEqual(2_000)
  expect(Math.max(...when)).toBeLessThanOrEqual(10_000)
  expect(new Set(when).size).toBeGreaterThan(15)
})

test('what was looked at or opened is read by its ids: one batch in five seconds, each once, on this screen at once', async () => {
  const at = page()
  const told = { id: 'n1', kind: 'signal', signal_id: 'a', read_at: null } as SignalNotification
  at.query.setQueryData(keys.person.signals, { pages: [{ items: [told] }], pageParams: [null] })
  looked('a')
  await at.pass(3_000)
  looked('b')
  opened('c')
  looked('a')
  expect(at.reads).toEqual([])
  await at.pass(2_000)
  expect(at.reads).toEqual([['a', 'b', 'c']])
  const known = at.query.getQueryData<{ pages: { items: SignalNotification[] }[] }>(keys.person.signals)
  expect(known?.pages[0]?.items[0]?.read_at).not.toBeNull()
  looked('a')
  await at.pass(20_000)
  expect(at.reads).toHaveLength(1)
  // a page that is put away says what it has: it may not come again
  looked('d')
  at.look(false)
  expect(at.reads).toEqual([['a', 'b', 'c'], ['d']])
})

test('who scrolls past many tells them in calls of at most two hundred', async () => {
  const { pass, reads } = page()
  for (let at = 0; at < 450; at++) looked(`m${at}`)
  await pass(5_000)
  expect(reads.map(({ length }) => length)).toEqual([200, 200, 50])
})

test('what another person looked at is not said under this name', async () => {
  const at = page()
  looked('a')
  at.leave()
  await at.pass(20_000)
  expect(at.reads).toEqual([])
})
