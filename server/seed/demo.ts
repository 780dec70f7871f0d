// The demonstration: one trader with two futures strategies and one of stocks, and an organization with two more, ninety and
// thirty days of messages through the real webhook door at their own times.

import { sql } from 'kysely'
import type { InputOf } from '#contract/endpoint.ts'
import { login, register } from '#contract/session.ts'
import { createStockSetting } from '#contract/stock-signal-setting.ts'
import type { StrategyInput } from '#contract/strategy.ts'
import { addDays, instantOf, taipeiDay, tradingDates } from '#trading/calendar.ts'
import { stockTick, stockType } from '#trading/products.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/schema.ts'
import { listen } from '../listen.ts'
import { closedDays } from '../record/calendar.ts'
import { call, makeStrategy } from './call.ts'
import { openDoors, openOrganization } from './organization.ts'
import { chance, story } from './story.ts'

// Ninety days of a stock strategy as an author's own program would report them: board lots, bought and sold days apart.

/** What it trades, with a price to start from. */
const SHARES = [
  { symbol: '2330', price: 1_450 },
  { symbol: '2454', price: 1_280 },
  { symbol: '0050', price: 62 },
] as const
const LOTS = 2

/** All messages from `days` days before `now` (ISO) up to it, in order of time, each between 09:05 and 13:15 of a trading day. */
export function stockStory(
  now: string,
  days: number,
  closed_days: ReadonlySet<string>,
): { at_ms: number; body: string }[] {
  const random = chance(20_261_123)
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const today = taipeiDay(now)
  const desks = SHARES.map((share) => ({ ...share, held: 0 }))
  const told: { at_ms: number; body: string }[] = []
  for (const date of tradingDates(addDays(today, -days), today, closed_days)) {
    for (const desk of desks) {
      // a trend follower earns while it holds
      desk.price *= 1 + (random() + random() - 1) * 0.035 + (desk.held > 0 ? 0.006 : -0.001)
      const leaves = desk.held > 0
      if (between(0, leaves ? 3 : 4) > 0) continue
      const quantity = leaves ? desk.held : between(1, LOTS)
      desk.held = leaves ? 0 : quantity
      const at_ms = Date.parse(instantOf(date, '09:05:00')) + between(0, 250) * 60_000
      const tick = stockTick(desk.price, stockType(desk.symbol), date)
      const body = {
        id: `${desk.symbol}-${date}`,
        symbol: desk.symbol,
        action: leaves ? 'sell' : 'buy',
        quantity,
        price: onTick(desk.price, tick),
        time: new Date(at_ms).toISOString(),
        note: leaves ? '跌破五日線' : '站上月線',
      }
      told.push({ at_ms, body: JSON.stringify(body) })
    }
  }
  return told.filter(({ at_ms }) => at_ms < Date.parse(now)).sort((a, b) => a.at_ms - b.at_ms)
}

/** The nearest price of the ladder, in at most two decimals. */
const onTick = (price: number, tick: number) => (Math.round(price / tick) * tick).toFixed(2)

const BREAKOUT_NOTE = `## 怎麼進出
1. 08:45 到 09:00 的**高低點**就是今天的區間。
2. 突破高點做多、跌破低點做空，一次兩口。
3. 走了一段先落袋一口，另一口等訊號出場；13:30 前一定平倉。

| 時段 | 做什麼 |
|---|---|
| 08:45–09:00 | 只看不做 |
| 09:00–13:15 | 等突破 |
| 13:15–13:30 | 平倉 |

> 區間超過 150 點的日子不做：停損會太遠。

商品規格見[臺灣期貨交易所](https://www.taifex.com.tw/cht/2/mTX)。`

export const DEMO_ACCOUNT = 'demo@lingbo.example'
export const DEMO_PASSWORD = 'walking-on-waves'
const DAYS = 90
const ORGANIZATION_DAYS = 30

const STRATEGIES: StrategyInput[] = [
  {
    kind: 'futures',
    name: '台指當沖突破',
    summary: '開盤區間突破，當日平倉不留倉。',
    note: BREAKOUT_NOTE,
    tags: ['當沖', '突破'],
    trade_style: 'day',
    timeframe: '15',
    initial_capital: 600_000,
    max_position: 4,
    settings: { product_code: 'MXF', contract_rule: 'near', session: 'day', fee_per_side: 25 },
  },
  {
    kind: 'futures',
    name: '大台趨勢波段',
    summary: '順勢留倉，趨勢翻轉才反手。',
    tags: ['波段', '趨勢'],
    trade_style: 'swing',
    timeframe: '60',
    initial_capital: 2_000_000,
    max_position: 2,
    settings: { product_code: 'TXF', contract_rule: 'near', session: 'day_night', fee_per_side: 50 },
  },
  {
    kind: 'stock',
    name: '權值股月線',
    summary: '站上月線買進，跌破五日線賣出，一次一到兩張。',
    tags: ['波段', '權值股'],
    trade_style: 'swing',
    timeframe: 'D',
    initial_capital: 6_000_000,
    settings: { symbols: ['2330', '2454', '0050'] },
  },
]

/** Of the stocks' signals; none of the story's is left out by them. */
const RULES: readonly Omit<InputOf<typeof createStockSetting>, 'id'>[] = [
  {
    ...{ applies_to: 'strategy', name: '收盤後的只記錄' },
    ...{ match: { time_from: '13:31' }, result: 'record_only' },
  },
  {
    ...{ applies_to: 'strategy', name: '同一檔半小時響一次' },
    ...{ match: { security_type: 'stock' }, limits: { cooldown_minutes: 30, daily_limit: 4 } },
  },
  {
    ...{ applies_to: 'me', name: '二十元以下的不吵我' },
    ...{ match: { max_price: 20 }, result: 'ignore' },
  },
]

export interface Demo {
  account: string
  password: string
  /** Paths of the webhooks: the two of the story's strategies in its order, and that of the stocks. */
  hooks: [string, string, string]
}

/** Fills an empty data folder. The server's clock is set to each message's time, so that nothing in it looks late. */
export async function seedDemo(config: Config, say: (line: string) => void, days = DAYS): Promise<Demo> {
  const organization_days = Math.min(days, ORGANIZATION_DAYS)
  const now = new Date().toISOString()
  const today = taipeiDay(now)
  const closed_days = closedDays({ config })
  const told = story(now, days, closed_days)
  let clock = Date.parse(`${addDays(today, -days - 1)}T00:00:00.000Z`)
  const roomy: Config = { ...config, host: '127.0.0.1', port: 0, hook_burst: 100_000, limit_factor: 100 }
  const { server, url, stop } = await listen(roomy, { now: () => clock })
  try {
    const verify = (email: string) => verified(server.app.db, email)
    const { demo, token } = await openAccount(url, verify)
    const setting = { password: DEMO_PASSWORD, verify, today }
    const organization = await openOrganization(url, { token, ...setting })
    const own = told.map((one) => ({ ...one, door: demo.hooks[one.strategy] }))
    const shares = stockStory(now, days, closed_days).map((one) => ({ ...one, door: demo.hooks[2] }))
    const theirs = story(now, organization_days, closed_days, 20_261_121)
    const all = [
      ...own,
      ...shares,
      ...theirs.map((one) => ({ ...one, door: organization.hooks[one.strategy] })),
    ]
    for (const { at_ms, door, body } of all.sort((a, b) => a.at_ms - b.at_ms)) {
      clock = at_ms + 900
      const answer = await fetch(url + door, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
      if (answer.status !== 200) throw new Error(`示範訊號被拒收：${answer.status} ${await answer.text()}`)
    }
    clock = Math.max(clock, Date.parse(now) - 3 * 3_600_000)
    const { access_token } = await call(url, login, { account: DEMO_ACCOUNT, password: DEMO_PASSWORD })
    await openDoors(url, { token: access_token, ...setting }, organization)
    await server.app.notifier.catchUp()
    await toldWhenItCame(server.app.db)
    // who has looked at it every day has read what came before yesterday
    await server.app.db
      .updateTable('notifications')
      .set(({ ref }) => ({ read_at: ref('created_at') }))
      .where('created_at', '<', new Date(Date.parse(now) - 86_400_000).toISOString())
      .execute()
    // its story began ninety days ago: the server that opens this folder would take today for a clock that jumped
    await server.app.db.deleteFrom('ground').where('name', '=', 'clock').execute()
    say(
      `已送入 ${all.length} 筆示範訊號（個人 ${days} 天、三個策略；組織 ${organization_days} 天、兩個策略）`,
    )
    return demo
  } finally {
    await stop()
  }
}

/** The clock of the story jumps from signal to signal: what was told a jump later was told at once. */
async function toldWhenItCame(db: Db): Promise<void> {
  await db
    .updateTable('notifications')
    .set((eb) => ({
      created_at: eb
        .selectFrom('signals')
        .select(sql<string>`min(stored_at)`.as('at'))
        .whereRef('signals.id', '=', 'notifications.signal_id'),
    }))
    .where('signal_id', 'is not', null)
    .execute()
  for (const column of ['created_at', 'sent_at'] as const)
    await db
      .updateTable('notification_deliveries')
      .set((eb) => ({
        [column]: eb
          .selectFrom('notifications')
          .select(sql<string>`min(notifications.created_at)`.as('at'))
          .whereRef('notifications.id', '=', 'notification_deliveries.notification_id'),
      }))
      .where(column, 'is not', null)
      .execute()
}

async function openAccount(
  url: string,
  verify: (email: string) => Promise<void>,
): Promise<{ demo: Demo; token: string }> {
  const account = DEMO_ACCOUNT
  const password = DEMO_PASSWORD
  await call(url, register, { account, email: account, name: '林小波', password })
  await verify(account)
  const { access_token } = await call(url, login, { account, password })
  const hooks: string[] = []
  for (const input of STRATEGIES) {
    const { id, hook } = await makeStrategy(url, input, access_token)
    hooks.push(hook)
    if (input.kind !== 'futures')
      for (const rule of RULES) await call(url, createStockSetting, { id, ...rule }, access_token)
  }
  return { demo: { account, password, hooks: hooks as Demo['hooks'] }, token: access_token }
}

/** The demonstration has no mailbox: its address counts as verified. */
async function verified(db: Db, email: string): Promise<void> {
  await db.updateTable('users').set({ email_verified: 1 }).where('email', '=', email).execute()
}
