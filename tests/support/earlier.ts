// A member whose first day is today, and records from before it that are voided and corrected since: every word of them can be told
// from everything else, to be looked for in all that the member is answered.
import { expect } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import { type Endpoint, type InputOf, route } from '#contract/endpoint.ts'
import { listNotifications, updateChannel } from '#contract/notification.ts'
import {
  correctSignal,
  exportSignals,
  getSignal,
  listStrategySignals,
  listWebhookSignals,
  signalFeed,
  strategyChain,
  voidSignal,
} from '#contract/signal.ts'
import { getStatistics, getStockStatistics } from '#contract/statistics.ts'
import { createStrategy, getStrategy, listStrategies, type Strategy } from '#contract/strategy.ts'
import { inTransaction } from '#server/events/append.ts'
import { updateOrganizationRow } from '#server/organization/store.ts'
import { stockName } from '#trading/products.ts'
import { hookPath } from './desk.ts'
import { giveStrategy, insertGroup, insertMember, insertOrganization } from './organizations.ts'
import { type Person, send, signUp } from './people.ts'
import { startScripted } from './scripted.ts'
import { type Engine, startServer, type TestServer } from './server.ts'
import { openStream, type Reader } from './stream.ts'

/** 10:00 in Taipei on a Friday; the member's first day is this one. */
export const START = Date.parse('2026-11-20T02:00:00.000Z')
export const TODAY = '2026-11-20'
export const SYMBOL = '00631L'

export interface Earlier {
  server: TestServer
  admin: Person
  member: Person
  strategy: Strategy
  organization: string
  /** The organization's header. */
  inside(): { 'lb-org-id': string }
  /** The records by what they are. */
  ids: Record<string, string>
  /** What must not be told, and how it may stand in an answer. */
  planted: Map<string, RegExp>
  /** The member's stream, open since before the void and the correction. */
  live: Reader
  fire(name: string, said: Record<string, unknown>, day: number, symbol: string): Promise<void>
  share(share_statistics: boolean): Promise<void>
  text<E extends Endpoint>(person: Person, endpoint: E, input: InputOf<E>): Promise<string>
  everything(person: Person): Promise<string[]>
  /** What went to a robot of this person's so far, oldest first, after all that is due has gone. */
  sent(person: Person): Promise<string[]>
  /** What of the planted shows in these answers, with a little around it. */
  found(answers: readonly string[]): string[]
  close(): Promise<void>
}

/** Starts a server with all of it; `close` it afterwards. */
export async function openEarlier(engine: Engine): Promise<Earlier> {
  const cursors = new Map<Person, string>()
  const planted = new Map<string, RegExp>()
  const ids: Record<string, string> = {}
  const inside = () => ({ 'lb-org-id': organization })
  const env = { OUTGOING_ALLOW: '127.0.0.0/8' }
  const server = await startServer({ engine, env, overrides: { now: () => START } })
  const admin = await signUp(server, '社長')
  const member = await signUp(server, '社員')
  const robot = await startScripted({
    take: () => ({ status: 204 }),
    refuse: ({ status }) => ({ status }),
  })
  for (const person of [admin, member])
    await person.call(updateChannel, { channel: 'webhook', address: `${robot.url}/${person.uid}` })
  async function sent({ uid }: Person): Promise<string[]> {
    await server.app.notifier.catchUp()
    const mine = robot.arrivals.filter(({ path }) => path === `/${uid}`)
    return mine.map(({ body }) => body.toString('utf8'))
  }
  const organization = await insertOrganization(server.app.db, '訊號社')
  await insertMember(server.app.db, organization, admin.uid, { role: 'admin' })
  await insertMember(server.app.db, organization, member.uid, { starts_on: '2026-11-01' })
  const settings = { unit: 'share' }
  const strategy = await admin.call(
    createStrategy,
    { kind: 'stock', name: '先前的事', settings, max_position: 1_000_000, default_quantity: 1 } as never,
    inside(),
  )
  let minute = 0
  async function fire(
    name: string,
    said: Record<string, unknown>,
    day: number,
    symbol: string,
  ): Promise<void> {
    const time = `2026-11-${day}T01:${10 + minute++}:00.000Z`
    const body = JSON.stringify({ symbol, time, id: `zqsource${name}`, ...said })
    const answer = await server.request(hookPath(strategy), { method: 'POST', body })
    const told = (await answer.json()) as { signal_id: string | null }
    if (!told.signal_id) throw new Error(JSON.stringify(told))
    ids[name] = told.signal_id
  }
  async function give(): Promise<void> {
    const id = await insertGroup(server.app.db, organization, '甲', member.uid)
    const days = { starts_on: TODAY, ends_on: null }
    await giveStrategy(server.app, { id, organization_id: organization }, [member.uid, strategy.id], days)
  }
  async function share(share_statistics: boolean): Promise<void> {
    await inTransaction(server.app, async (tx) => {
      const rows = tx.db.selectFrom('organizations').selectAll().where('id', '=', organization)
      await updateOrganizationRow(
        server.app,
        tx,
        (await rows.executeTakeFirstOrThrow()) as never,
        { share_statistics } as never,
      )
    })
  }
  async function text<E extends Endpoint>(person: Person, endpoint: E, input: InputOf<E>): Promise<string> {
    const answer = await send(server, endpoint, input, {
      ...inside(),
      authorization: `Bearer ${person.token}`,
    })
    const body = await answer.text()
    const { path } = route(endpoint, input as Record<string, unknown>)
    return `${path} ${JSON.stringify(input)} ${answer.status}\n${body}`
  }
  /** Every way to ask about this strategy, and to be told of it; what is asked stands not in the text that is looked through. */
  async function everything(person: Person): Promise<string[]> {
    const { id } = strategy
    const told = await sent(person)
    const asked: Promise<string>[] = []
    const ask = <E extends Endpoint>(endpoint: E, input: InputOf<E>) =>
      asked.push(text(person, endpoint, input).then((told) => told.slice(told.indexOf('\n'))))
    for (const query of [
      {},
      { after: 0 },
      { latest: 'true' },
      { strategy_id: id, after: 0 },
      { latest: 'true', before: 9_999 },
    ])
      ask(signalFeed, { limit: 100, ...query })
    for (const query of [
      {},
      { source: 'void' },
      { source: 'correction' },
      { effect: 'none' },
      { min_chain_seq: 1 },
    ] as const)
      ask(listStrategySignals, { id, ...query })
    ask(listStrategySignals, { id, symbol: SYMBOL })
    ask(listStrategySignals, { id, action: 'long_entry' })
    for (const signal of Object.values(ids)) ask(getSignal, { id: signal })
    for (const after of [0, 1, 4, 7, 8]) ask(strategyChain, { id, after })
    for (const format of ['csv', 'json'] as const) ask(exportSignals, { id, format })
    ask(listWebhookSignals, { id: strategy.webhooks?.[0]?.id as string })
    ask(getStrategy, { id })
    ask(listStrategies, { kind: 'stock' })
    ask(getDashboard, {})
    ask(getStatistics, { id })
    ask(getStockStatistics, { id })
    ask(getStockStatistics, { id, symbol: SYMBOL, sort: 'symbol' })
    ask(listNotifications, { limit: 100 })
    const caught_up = await openStream(server, person.token, cursors.get(person))
    await expect.poll(() => caught_up.events.filter(({ kind }) => kind === 'signal-voided').length).toBe(2)
    await caught_up.close()
    return [...(await Promise.all(asked)), JSON.stringify(caught_up.events), ...told]
  }
  const found = (answers: readonly string[]) =>
    [...planted].flatMap(([what, pattern]) => {
      const told = answers.find((answer) => pattern.test(answer))
      const at = told ? (pattern.exec(told)?.index ?? 0) : 0
      return told ? [`${what}: …${told.slice(Math.max(0, at - 200), at + 40)}`] : []
    })

  // One that will be voided; one that will be corrected, closed by a third before the member's first day.
  await fire(
    'gone',
    { action: 'long_entry', quantity: 791_937, price: 287.35, note: 'zqnotevoided' },
    17,
    SYMBOL,
  )
  await fire(
    'entry',
    { action: 'long_entry', quantity: 613_739, price: 288.15, note: 'zqnoteentry' },
    18,
    SYMBOL,
  )
  await fire(
    'exit',
    { action: 'long_exit', quantity: 613_739, price: 289.45, note: 'zqnoteexit' },
    18,
    SYMBOL,
  )
  // Entered before, closed since; and both since.
  await fire('older', { action: 'buy', quantity: 1_000, price: 1_000 }, 19, '2330')
  await fire('first', { action: 'sell', quantity: 1_000, price: 1_010 }, 20, '2330')
  await fire('second', { action: 'buy', quantity: 1_000, price: 1_020 }, 20, '2330')
  await fire('third', { action: 'sell', quantity: 1_000, price: 1_050 }, 20, '2330')
  await give()
  const live = await openStream(server, member.token)
  cursors.set(member, live.cursor())
  const other = await openStream(server, admin.token)
  cursors.set(admin, other.cursor())
  await other.close()
  const reason = 'zqreasonvoided'
  ids['void'] = (await admin.call(voidSignal, { id: ids['gone'] as string, reason }, inside())).id
  const correction = { id: ids['entry'] as string, price: 286.65, note: 'zqnotecorrected' }
  ids['correction'] = (await admin.call(correctSignal, correction, inside())).id
  for (const name of ['gone', 'entry', 'exit']) planted.set(`id ${name}`, new RegExp(ids[name] as string))
  for (const word of ['voided', 'entry', 'exit', 'corrected'])
    planted.set(`note ${word}`, new RegExp(`zqnote${word}`))
  planted
    .set('reason', /zqreason/)
    .set('symbol', new RegExp(SYMBOL))
    .set('name', new RegExp(stockName(SYMBOL)))
  planted.set('action', /long_entry|long_exit|多單/)
  for (const price of ['287.35', '288.15', '289.45', '286.65'])
    planted.set(`price ${price}`, new RegExp(`(?<!\\d)${price.replace('.', '\\.')}`))
  // Digits also stand in hashes.
  for (const size of ['791937', '613739', '791,937', '613,739'])
    planted.set(`quantity ${size}`, new RegExp(`(?<![0-9a-f])${size}(?![0-9a-f])`))
  const close = async () => {
    await live.close()
    await server.close()
    await robot.close()
  }
  return {
    server,
    admin,
    member,
    strategy,
    organization,
    inside,
    ids,
    planted,
    live,
    fire,
    share,
    text,
    everything,
    sent,
    found,
    close,
  }
}
