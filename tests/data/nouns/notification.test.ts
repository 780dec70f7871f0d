// The inbox and the setting as the person left them: what was read or set here, while it waits and after it arrived; what goes with an access.
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { CHANNELS, NOTIFICATION_KINDS } from '#contract/channels.ts'
import type { NotificationSetting, SignalNotification } from '#contract/notification.ts'
import type { OutboxRow } from '#contract/outbox.ts'
import type { Strategy } from '#contract/strategy.ts'
import { keys } from '#data/keys.ts'
import { notificationEvents } from '#data/nouns/events.ts'
import {
  followNews,
  type InboxPages,
  inboxWithPending,
  newsIn,
  notificationQueries,
  unreadSignals,
} from '#data/nouns/notification.ts'
import { coveredValues, settingWithPending, valueAt } from '#data/nouns/notification-setting.ts'
import { coveredBell, coveredBells, strategyWithPending } from '#data/nouns/strategy.ts'
import type { Arrived } from '#data/outbox/store.ts'
import { forgetTold, sweepTold } from '#data/query.ts'

const ANSWERED = Date.parse('2026-11-23T02:00:00.000Z')
const told = (seq: number, change: Partial<SignalNotification> = {}): SignalNotification => ({
  id: `n${seq}`,
  seq,
  kind: 'alarm',
  organization_id: null,
  strategy_id: 's1',
  signal_id: null,
  announcement_id: null,
  title: `第 ${seq} 則`,
  body: '',
  link: '/signals?org=personal',
  created_at: '2026-11-23T01:00:00.000Z',
  read_at: null,
  channels: [],
  ...change,
})
const inbox = (items: SignalNotification[], attention_count: number): InboxPages => ({
  pages: [{ items, next_before: null, unread_count: attention_count + 7, attention_count }],
  pageParams: [null],
})
const row = (endpoint: string, body: object, state: OutboxRow['state'] = 'waiting') =>
  ({ endpoint, body, state, params: {}, created_at: '2026-11-23T02:01:00.000Z' }) as unknown as OutboxRow
const receipt = (endpoint: string, body: object, result: unknown, after_ms = 1_000) =>
  ({
    key: `k${after_ms}`,
    endpoint,
    body,
    result,
    params: {},
    sent_at: ANSWERED + after_ms,
  }) as unknown as Arrived
const lay = (pages: InboxPages, rows: OutboxRow[], receipts: Arrived[] = []) =>
  inboxWithPending(pages, { rows, receipts }, ANSWERED)

test('what is read here is read at once, while the call waits and until the next answer knows of it', () => {
  const pages = inbox([told(3), told(2), told(1)], 5)
  expect(lay(pages, [])).toEqual({ items: pages.pages[0]?.items, attention_count: 5 })
  const one = lay(pages, [row('notification.read', { ids: ['n2'] })])
  expect(one.items.map(({ read_at }) => read_at !== null)).toEqual([false, true, false])
  expect(one.attention_count).toBe(4)
  expect(lay(pages, [], [receipt('notification.read', { ids: ['n2'] }, null)]).attention_count).toBe(4)
  // the answer is newer than the arrival: it knows
  expect(lay(pages, [], [receipt('notification.read', { ids: ['n2'] }, null, -1_000)]).attention_count).toBe(
    5,
  )
  expect(lay(pages, [row('notification.read', { ids: ['n2'] }, 'failed')]).attention_count).toBe(5)
})

test('everything up to one of these: those that are not on the device are read too, those that came since are not', () => {
  const pages = inbox([told(9), told(3), told(2)], 600)
  expect(lay(pages, [row('notification.read', { up_to: 9 })]).attention_count).toBe(0)
  expect(lay(pages, [row('notification.read', { up_to: 3 })]).attention_count).toBe(1)
})

test('a page that begins with what the one before ends with shows nothing twice', () => {
  const pages = inbox([told(3), told(2)], 2)
  pages.pages.push({ items: [told(2), told(1)], next_before: null, unread_count: 2, attention_count: 2 })
  expect(lay(pages, []).items.map(({ seq }) => seq)).toEqual([3, 2, 1])
})

test('signals are not in the inbox, whatever a copy from before holds, and are read by their own marks', () => {
  const pages = inbox([told(4), told(3, { kind: 'signal', signal_id: 'r3' })], 1)
  // a copy from before counts nothing apart
  ;(pages.pages[0] as { attention_count?: number }).attention_count = undefined as never
  expect(lay(pages, [])).toMatchObject({ items: [{ id: 'n4' }], attention_count: 1 })
  expect(lay(pages, [row('notification.read', { up_to: 9, about: 'signal' })]).attention_count).toBe(1)
  const signals = inbox(
    [3, 2].map((seq) => told(seq, { kind: 'signal', signal_id: `r${seq}` })),
    0,
  )
  const unread = (rows: OutboxRow[]) => [...unreadSignals(signals, { rows, receipts: [] }, ANSWERED)]
  expect(unread([])).toEqual([
    ['r3', true],
    ['r2', true],
  ])
  expect(unread([row('notification.read', { up_to: 2 })])).toEqual([
    ['r3', true],
    ['r2', false],
  ])
  expect(unread([row('notification.read', { up_to: 9, about: 'attention' })])[0]).toEqual(['r3', true])
})

test('a dot stands for the newest signal of a name while it is unread, not for what was passed by', () => {
  const of = (seq: number, organization_id: string | null, read_at: string | null = null) =>
    told(seq, { kind: 'signal', signal_id: `r${seq}`, organization_id, read_at })
  const pages = inbox([of(4, 'o1', '2026-11-23T01:30:00.000Z'), of(3, null), of(2, 'o1'), of(1, null)], 0)
  const news = (rows: OutboxRow[]) => newsIn(pages, { rows, receipts: [] }, ANSWERED)
  expect(news([])).toEqual([null])
  expect(news([row('notification.read', { ids: ['n3'] })])).toEqual([])

  const query = new QueryClient()
  const heard: (readonly (string | null)[])[] = []
  const outbox = { getSnapshot: () => ({ rows: [], receipts: [] }), subscribe: () => () => {} }
  const stop = followNews(query, outbox as never, (news) => heard.push(news))
  expect(heard).toEqual([])
  query.setQueryData(notificationQueries.signals().queryKey, pages)
  query.setQueryData(
    notificationQueries.signals().queryKey,
    inbox([of(5, 'o1'), ...pages.pages[0]!.items], 0),
  )
  stop()
  expect(heard).toEqual([[null], ['o1', null], []])
})

test('what is read elsewhere is read here, each part by itself; after three hundred signals the inbox is what it was', () => {
  const query = new QueryClient()
  query.setQueryData(keys.person.inbox, inbox([told(1)], 1))
  query.setQueryData(keys.person.signals, inbox([], 1))
  const asked: unknown[] = []
  const hands = { query, ask: (...some: unknown[]) => asked.push(...some) } as unknown as Parameters<
    typeof notificationEvents
  >[0]
  const heard = notificationEvents(hands)
  for (let seq = 2; seq <= 301; seq++)
    heard.notification('personal', told(seq, { kind: 'signal', signal_id: `r${seq}` }))
  const page = (key: typeof keys.person.inbox | typeof keys.person.signals) =>
    query.getQueryData<InboxPages>(key)?.pages[0]
  expect(page(keys.person.inbox)).toMatchObject({ items: { length: 1 }, attention_count: 1 })
  expect(page(keys.person.signals)?.items).toHaveLength(300)
  // of the many of an evening nothing is asked again
  expect(asked).not.toContain(keys.person.notifications)
  heard['notification-read']('personal', { ids: ['n301'], unread_count: 300, attention_count: 1 })
  expect(page(keys.person.signals)?.items.filter(({ read_at }) => read_at !== null)).toHaveLength(1)
  heard['notification-read']('personal', {
    ...{ up_to: 301, about: 'signal', unread_count: 1, attention_count: 1 },
  })
  expect(page(keys.person.signals)?.items.every(({ read_at }) => read_at !== null)).toBe(true)
  expect(page(keys.person.inbox)?.items[0]?.read_at).toBeNull()
})

const every = <T>(value: T) => Object.fromEntries(CHANNELS.map((one) => [one, value]))
const SETTING = {
  channels: every(true),
  kinds: Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, every(true)])),
  privacy: every('full'),
  fallback: { after_s: 60, order: [] },
  quiet_hours: { enabled: false, from: '23:00', to: '07:00', days: [1], exits_pass: true },
  merge_seconds: 0,
  strategies: [],
  telegram: { state: 'off', username: null },
} as unknown as NotificationSetting
const SET = 'notification-setting.update'

test('fields that wait stand over the answer, each by its path, and nothing else is touched', () => {
  const outbox = {
    rows: [
      row(SET, { 'quiet_hours.from': '22:00', edited_at: 'x' }),
      row(SET, { 'kinds.signal.push': false, merge_seconds: 30, 'no.such': 1 }),
      row('profile.update', { name: '別的' }),
    ],
    receipts: [],
  }
  const laid = settingWithPending(SETTING, outbox, ANSWERED)
  expect(valueAt(laid, 'quiet_hours.from')).toBe('22:00')
  expect(valueAt(laid, 'quiet_hours.to')).toBe('07:00')
  expect(valueAt(laid, 'kinds.signal.push')).toBe(false)
  expect(laid.merge_seconds).toBe(30)
  expect(Object.keys(laid)).toEqual(Object.keys(SETTING))
  expect(SETTING.quiet_hours.from).toBe('23:00')
  expect(settingWithPending(SETTING, { rows: [], receipts: [] }, ANSWERED)).toBe(SETTING)
})

test('what has arrived speaks through its answer, in which a later edit of another device may stand', () => {
  const answer = { ...SETTING, quiet_hours: { ...SETTING.quiet_hours, from: '21:00' }, overwritten: [] }
  const laid = settingWithPending(
    SETTING,
    { rows: [], receipts: [receipt(SET, { 'quiet_hours.from': '22:00' }, answer)] },
    ANSWERED,
  )
  expect(laid.quiet_hours.from).toBe('21:00')
  expect('overwritten' in laid).toBe(false)
})

test('a covered value is offered once per field, until it stands there again', () => {
  const covered = (value: string) => ({
    overwritten: [
      { path: 'quiet_hours.from', value, device_label: 'iPhone', at: '2026-11-23T01:00:00.000Z' },
    ],
  })
  const receipts = [receipt(SET, {}, covered('20:00'), 1), receipt(SET, {}, covered('22:00'), 2)]
  const found = coveredValues({ rows: [], receipts }, SETTING)
  expect(found.map(({ path, value }) => [path, value])).toEqual([['quiet_hours.from', '22:00']])
  const back = { ...SETTING, quiet_hours: { ...SETTING.quiet_hours, from: '22:00' } }
  expect(coveredValues({ rows: [], receipts }, back)).toEqual([])
  // set to a third value afterwards, waiting or arrived: that is decided
  const third = { 'quiet_hours.from': '19:00' }
  expect(coveredValues({ rows: [row(SET, third)], receipts }, SETTING)).toEqual([])
  const later = receipt(SET, third, { overwritten: [] }, 3)
  expect(coveredValues({ rows: [], receipts: [later, ...receipts] }, SETTING)).toEqual([])
  const another = receipt(SET, { merge_seconds: 10 }, { overwritten: [] }, 3)
  expect(coveredValues({ rows: [], receipts: [...receipts, another] }, SETTING)).toHaveLength(1)
})

const bell = (change: Partial<Strategy['my_notify']> = {}) =>
  ({
    id: 's1',
    my_notify: {
      strategy_id: 's1',
      enabled: true,
      channels: null,
      actions: 'all',
      important: false,
      ...change,
    },
  }) as unknown as Strategy
const BELL = 'strategy.notify'
const bellTold = (id: string, body: object, result: unknown, after_ms: number, ctx = 'personal') =>
  ({ ...receipt(BELL, body, result, after_ms), params: { id }, ctx }) as unknown as Arrived
const lost = (path: string, value: unknown) => ({
  ...{ path, value, device_label: '小明的手機', at: '2026-11-23T01:00:00.000Z' },
  standing_at: '2026-11-23T01:30:00.000Z',
})

test('a bell shows what the answer says stands, and offers what was covered until it stands there again or is decided', () => {
  const answer = { ...bell().my_notify, overwritten: [lost('enabled', false), lost('channels', ['push'])] }
  const told = bellTold('s1', { enabled: false, channels: ['push'] }, answer, 1)
  const outbox = (rows: OutboxRow[] = [], more: Arrived[] = []) => ({ rows, receipts: [...more, told] })
  const laid = strategyWithPending(bell({ important: true }), outbox(), ANSWERED)
  expect(laid.my_notify).toEqual(bell().my_notify)
  const found = coveredBell(outbox(), laid)
  expect(found.map(({ path, value }) => [path, value])).toEqual([
    ['enabled', false],
    ['channels', ['push']],
  ])
  // put back: it waits, and only the other field is left
  const back = { ...row(BELL, { enabled: false, edited_at: 'x' }), params: { id: 's1' } }
  const put = strategyWithPending(bell(), outbox([back]), ANSWERED)
  expect(put.my_notify.enabled).toBe(false)
  expect(coveredBell(outbox([back]), put).map(({ path }) => path)).toEqual(['channels'])
  // refused, it decides nothing; another strategy's call is another's
  expect(coveredBell(outbox([{ ...back, state: 'failed' }]), bell())).toHaveLength(2)
  expect(coveredBell(outbox([{ ...back, params: { id: 's2' } }]), bell())).toHaveLength(2)
  expect(coveredBell(outbox(), { ...bell(), id: 's2' })).toEqual([])
  const later = bellTold('s1', { enabled: true }, { ...bell().my_notify, overwritten: [] }, 2)
  expect(coveredBell(outbox([], [later]), bell()).map(({ path }) => path)).toEqual(['channels'])
})

test('bells to be told of: of this context only, each once; a server that does not tell it yet covers nothing', () => {
  const covers = { overwritten: [lost('enabled', false)] }
  const receipts = [
    bellTold('s1', {}, covers, 1),
    bellTold('s2', {}, bell().my_notify, 2),
    bellTold('s3', {}, covers, 3, 'org:o1'),
    bellTold('s1', {}, covers, 4),
    { ...bellTold('s4', {}, covers, 5), endpoint: 'strategy.update' },
  ]
  expect(coveredBells({ rows: [], receipts }, 'personal')).toEqual(['s1'])
  expect(coveredBells({ rows: [], receipts }, 'org:o1')).toEqual(['s3'])
})

test('what an organization told goes with the access, in memory and in the kept answer; the rest stays', () => {
  const query = new QueryClient()
  const items = [told(2, { organization_id: 'o1', strategy_id: 's9' }), told(1)]
  query.setQueryData(keys.person.inbox, inbox(items, 2))
  query.setQueryData(keys.person.deliveries({}), {
    pages: [{ items: [{ id: 'd', title: '浪花' }] }],
    pageParams: [],
  })
  const gone = ({ organization_id }: { organization_id?: string | null }) => organization_id === 'o1'
  forgetTold(query, gone)
  expect(query.getQueryData<InboxPages>(keys.person.inbox)?.pages[0]?.items.map(({ id }) => id)).toEqual([
    'n1',
  ])
  // deliveries do not say whose they are: none is left
  expect(JSON.stringify(query.getQueryData(keys.person.deliveries({})))).not.toContain('浪花')
  const kept = { key: JSON.stringify(keys.person.inbox), data: inbox(items, 2) as unknown }
  expect(sweepTold(kept, gone)).toBe(true)
  expect(JSON.stringify(kept.data)).not.toContain('o1')
  expect(sweepTold({ key: JSON.stringify(keys.person.notification_setting), data: {} }, gone)).toBe(false)
})

test('thousands that come while the page is open: the newest are in memory, the others one page further', () => {
  const query = new QueryClient()
  query.setQueryData(keys.person.inbox, inbox([told(1)], 1))
  const hands = { query, ask: () => undefined } as unknown as Parameters<typeof notificationEvents>[0]
  const { notification } = notificationEvents(hands)
  const hear = (seq: number) => notification('personal', told(seq))
  const known = () => query.getQueryData<InboxPages>(keys.person.inbox)?.pages ?? []
  for (let seq = 2; seq <= 400; seq++) hear(seq)
  expect(known()[0]).toMatchObject({ items: { length: 400 }, next_before: null, attention_count: 400 })
  hear(401)
  expect(known()).toMatchObject([{ items: { length: 100 }, next_before: '302', attention_count: 401 }])
  hear(402)
  expect(
    known()[0]
      ?.items.map(({ seq }) => seq)
      .slice(0, 2),
  ).toEqual([402, 401])
})
