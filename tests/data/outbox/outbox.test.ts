// The outbox, case by case: what is kept, what goes when, what asks, what is refused, and what other people find.
import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { ENDPOINTS } from '#contract/index.ts'
import { isUnseen, QUEUED } from '#contract/outbox.ts'
import { openStore } from '#data/outbox/store.ts'
import { beginOnFreshDevice } from '../support/fresh-device.ts'
import { choose, note, type ServerSide } from '../support/outbox-server.ts'
import type { Tab, World } from '../support/outbox-world.ts'

let server: ServerSide
let world: World
let uid: string
beginOnFreshDevice((now) => {
  ;({ server, world, uid } = now)
})

const tab = () => world.tabs[0] as Tab
const write = (text: string, more: { refuse?: boolean; lasts_ms?: number; lane?: string } = {}) =>
  tab().outbox.send(
    note,
    { id: more.lane ?? 'L', text, ...(more.refuse && { refuse: true }) },
    { label: text, ...(more.lasts_ms !== undefined && { lasts_ms: more.lasts_ms }) },
  )
const texts = () => server.done().map(({ body }) => body['text'])
const states = async () => (await world.rows(uid)).map(({ label, state }) => `${label} ${state}`)

test('the table of calls that may wait says what the contract says', () => {
  const wanted = ENDPOINTS.filter(({ when_offline }) => when_offline === 'queue').map(
    ({ name, method, path, who, input }) => ({
      name,
      method,
      path,
      who,
      dated: 'edited_at' in (input as unknown as { shape: Record<string, unknown> }).shape,
    }),
  )
  const written = Object.entries(QUEUED).map(([name, { method, path, who, dated }]) => ({
    name,
    method,
    path,
    who,
    dated,
  }))
  const by_name = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
  const hint = "contract/outbox.ts has a line for every call with when_offline: 'queue', and for no other"
  expect(written.toSorted(by_name), hint).toEqual(wanted.toSorted(by_name))
})

test('what nobody pressed waits unseen: receipts, and signals that were looked at; what somebody marked is theirs to see', () => {
  const read = (body: object) => isUnseen({ endpoint: 'notification.read', body } as never)
  expect(read({ signal_ids: ['a'] })).toBe(true)
  expect([read({ ids: ['a'] }), read({ up_to: 5, about: 'attention' })]).toEqual([false, false])
  expect(isUnseen({ endpoint: 'signal.receipts', body: { items: [] } } as never)).toBe(true)
  expect(isUnseen({ endpoint: 'strategy.update', body: {} } as never)).toBe(false)
})

test('online it is sent at once and the screen gets the answer; the receipt stays', async () => {
  expect(await write('eins')).toEqual({ queued: false, result: { text: 'eins' } })
  expect(texts()).toEqual(['eins'])
  expect(await world.rows(uid)).toEqual([])
  expect(tab().snapshot.receipts.map(({ label, result }) => [label, result])).toEqual([
    ['eins', { text: 'eins' }],
  ])
})

test('offline it waits with everything it needs, and goes in order when the network is back', async () => {
  world.session.org_id = server.org_id
  world.network(false)
  for (const text of ['a', 'b', 'c']) expect(await write(text)).toMatchObject({ queued: true })
  const [first] = await world.rows(uid)
  expect(first).toMatchObject({
    ctx: `org:${server.org_id}`,
    lane: `${uid}|org:${server.org_id}|probe|L`,
    uid,
    org_id: server.org_id,
    endpoint: 'probe.note',
    params: { id: 'L' },
    body: { text: 'a' },
    base: null,
    state: 'waiting',
    attempts: 0,
  })
  expect(server.done()).toEqual([])
  world.session.org_id = null // switched before it goes out: it keeps the name it was made in
  world.network(true)
  await world.rest()
  expect(texts()).toEqual(['a', 'b', 'c'])
  expect(new Set(server.done().map(({ org_id }) => org_id))).toEqual(new Set([server.org_id]))
})

test('settings to the same place become one call, field by field', async () => {
  world.network(false)
  const set = (body: { a?: number; b?: number }) =>
    tab().outbox.send(choose, { id: 'L', ...body }, { label: 'set', base: body })
  await set({ a: 1 })
  await set({ b: 2 })
  await set({ a: 3 })
  expect((await world.rows(uid)).map(({ body, base }) => ({ body, base }))).toEqual([
    { body: { a: 3, b: 2 }, base: { a: 1, b: 2 } },
  ])
  world.network(true)
  await world.rest()
  expect(server.done().map(({ body }) => body)).toEqual([{ a: 3, b: 2 }])
})

test('two settings in one breath, in a database that has yet to be made: the later one stands', async () => {
  world.network(false)
  world.sign_in(server.people[1])
  const set = (a: number) => tab().outbox.send(choose, { id: 'L', a }, { label: 'set' })
  await Promise.all([set(1), set(2), set(3)])
  const rows = await world.rows(server.people[1].uid)
  expect(rows.map(({ body }) => body)).toEqual([{ a: 3 }])
})

test('a lost answer is asked for again under the same key: done once', async () => {
  world.troubles.push('lose', 'lose', 'lose', 'lose')
  expect(await write('eins')).toMatchObject({ queued: true })
  expect(await states()).toEqual(['eins waiting'])
  world.look()
  await world.rest()
  expect(texts()).toEqual(['eins'])
  expect(await world.rows(uid)).toEqual([])
})

test("a portal's page is no success; the server's own waiting time counts also when the network comes back", async () => {
  world.troubles.push('portal')
  expect(await write('eins')).toMatchObject({ queued: true })
  expect(texts()).toEqual([])
  world.troubles.push('slow-down')
  world.look()
  await world.rest()
  const [row] = await world.rows(uid)
  expect(row).toMatchObject({ state: 'waiting', last_status: 429, last_code: 4290 })
  expect(Date.parse(String(row?.next_at)) - world.clock.now()).toBeGreaterThanOrEqual(119_000)
  world.look()
  await world.rest()
  expect(texts()).toEqual([])
  world.clock.advance(121_000)
  await world.rest()
  expect(texts()).toEqual(['eins'])
})

test('refused while the person is there: the screen hears it, nothing stays', async () => {
  await expect(write('schlecht', { refuse: true })).rejects.toMatchObject({
    code: 4220,
    details: { fields: { text: '這樣寫不行' } },
  })
  expect(await world.rows(uid)).toEqual([])
})

test('refused later: it stays with its reason, stops its own lane only, and goes out under a new key', async () => {
  world.network(false)
  await write('schlecht', { refuse: true })
  await write('dahinter')
  await write('anders', { lane: 'M' })
  world.network(true)
  await world.rest()
  expect(texts()).toEqual(['anders'])
  const [failed, behind] = await world.rows(uid)
  expect(failed).toMatchObject({ state: 'failed', last_code: 4220, last_text: '這樣寫不行' })
  expect(behind?.state).toBe('waiting')
  const key = String(failed?.key)
  expect(await tab().outbox.retry(key)).toBe(true)
  const [again] = await world.rows(uid)
  expect(again).toMatchObject({ state: 'failed', seq: failed?.seq })
  expect(again?.key).not.toBe(key)
  expect(await tab().outbox.cancel(String(again?.key))).toBe(true)
  world.look()
  await world.rest()
  expect(texts()).toEqual(['anders', 'dahinter'])
})

// domain §7.6: refused: the reason on its row, corrected in its place
test('a corrected one takes the place of the refused one: what stood behind it goes after it', async () => {
  world.network(false)
  await write('schlecht', { refuse: true })
  await write('dahinter')
  world.network(true)
  await world.rest()
  const [failed] = await world.rows(uid)
  const instead = String(failed?.key)
  const correct = (body: { text: string; refuse?: boolean }) =>
    tab().outbox.send(note, { id: 'L', ...body }, { label: body.text, instead })
  // refused again: said to the screen, and nothing is lost nor overtaken
  await expect(correct({ text: 'noch nicht', refuse: true })).rejects.toMatchObject({ code: 4220 })
  expect(await states()).toEqual(['noch nicht failed', 'dahinter waiting'])
  expect((await world.rows(uid))[0]?.key).toBe(instead)
  expect(await correct({ text: 'besser' })).toMatchObject({ queued: false })
  await world.rest()
  expect(texts()).toEqual(['besser', 'dahinter'])
  expect(await world.rows(uid)).toEqual([])
})

test('past its time it asks; only the person sends it; a clock that was set back is no way around', async () => {
  world.network(false)
  await write('spät', { lasts_ms: 120_000 })
  await write('gestern', { lasts_ms: 120_000, lane: 'M' })
  const store = openStore(uid, world.clock.now)
  await store.change((rows) => ({
    put: rows
      .filter(({ label }) => label === 'gestern')
      .map((row) => ({ ...row, created_at: new Date(world.clock.now() + 86_400_000).toISOString() })),
    answer: undefined,
  }))
  world.clock.advance(121_000)
  world.network(true)
  await world.rest()
  expect(texts()).toEqual([])
  expect(await states()).toEqual(['spät needs_confirm', 'gestern needs_confirm'])
  for (const { key } of await world.rows(uid)) await tab().outbox.retry(key)
  await world.rest()
  expect(texts().toSorted()).toEqual(['gestern', 'spät'])
})

test('a 401 keeps everything for the same person; another one sends nothing and sees how many wait', async () => {
  world.network(false)
  await write('meins')
  await write('auch', { lane: 'M' })
  world.expire()
  world.network(true)
  await world.rest()
  expect(world.session.person).toBeNull()
  expect(await states()).toEqual(['meins needs_login', 'auch needs_login'])
  world.sign_in(server.people[1])
  await world.rest()
  expect(texts()).toEqual([])
  expect(tab().snapshot.rows).toEqual([])
  expect(await tab().outbox.foreign()).toBe(2)
  world.sign_in(server.people[0])
  await expect.poll(() => texts().toSorted()).toEqual(['auch', 'meins'])
  expect(new Set(server.done().map(({ uid: by }) => by))).toEqual(new Set([uid]))
})

test('an organization that ends: its calls fail and stay to be seen, the others go', async () => {
  world.network(false)
  world.session.org_id = server.org_id
  await write('für die Organisation')
  world.session.org_id = null
  await write('für mich')
  await tab().outbox.revoke(server.org_id)
  world.network(true)
  await world.rest()
  expect(texts()).toEqual(['für mich'])
  expect(await world.rows(uid)).toMatchObject([{ state: 'failed', last_code: 4031 }])
})

test('two tabs: one sends, both show the same, a row taken back in one is gone in the other', async () => {
  const second = world.open()
  await world.rest()
  world.network(false)
  await write('a')
  const posted = await write('b')
  await world.rest()
  expect(second.snapshot.rows.map(({ label }) => label)).toEqual(['a', 'b'])
  await second.outbox.cancel('key' in posted ? posted.key : '')
  await world.rest()
  expect(tab().snapshot.rows.map(({ label }) => label)).toEqual(['a'])
  world.network(true)
  await world.rest()
  expect(texts()).toEqual(['a'])
  expect([tab().snapshot.rows, second.snapshot.rows]).toEqual([[], []])
})

test('throwing everything away, and trying everything once', async () => {
  world.network(false)
  await write('a')
  await write('b', { lane: 'M' })
  expect(await tab().outbox.sendAll()).toBe(2)
  expect(await tab().outbox.discardAll()).toBe(0)
  world.network(true)
  await world.rest()
  expect(texts()).toEqual([])
})
