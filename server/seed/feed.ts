// The live part of the demonstration: messages over HTTP every few seconds while the market is open, as two scripts would
// send them. While it is closed it waits and says until when.
import { setTimeout, setTimeout as sleep } from 'node:timers/promises'
import { bindLine, bindTelegram, getLineBinding, getTelegramBinding } from '#contract/binding.ts'
import { getCalendar } from '#contract/market.ts'
import { listChannels, updateChannel, updateNotificationSetting } from '#contract/notification.ts'
import { login } from '#contract/session.ts'
import { listStrategies } from '#contract/strategy.ts'
import { msOf, taipei } from '#trading/calendar.ts'
import { type TradingSessionNow, tradingSessionNow } from '#trading/day.ts'
import { DEMO_DISCORD, type Stand } from '../demo/receivers.ts'
import { call } from './call.ts'
import type { Demo } from './demo.ts'
import { message, Tape } from './story.ts'

export interface Desk {
  ticker: string
  lots: number
  position: number
}

/** Where the two strategies stand now, as anybody who signs in sees it: the feed goes on from there. */
async function deskOf(
  url: string,
  demo: Demo,
): Promise<{ desks: [Desk, Desk]; price: number; closed_days: ReadonlySet<string> }> {
  const { account, password } = demo
  const { access_token } = await call(url, login, { account, password })
  const { items } = await call(url, listStrategies, {}, access_token)
  const { closed_days } = await call(url, getCalendar, {}, access_token)
  const held = (ticker: string, lots: number): Desk & { at: string; price: number | null } => {
    const code = ticker.slice(0, 3)
    const own = items.find((one) => one.kind === 'futures' && one.settings.product_code === code)
    const last = own?.last_signal
    return {
      ticker,
      lots,
      position: own?.positions[0]?.quantity ?? 0,
      at: last?.occurred_at ?? '',
      price: last?.price ?? null,
    }
  }
  const desks: [ReturnType<typeof held>, ReturnType<typeof held>] = [held('MXF1!', 2), held('TXF1!', 1)]
  const newest = desks[0].at > desks[1].at ? desks[0] : desks[1]
  return { desks, price: newest.price ?? 46_000, closed_days: new Set(closed_days) }
}

/** The last minutes of a trading session, in which the day trader's script only goes out. */
const LAST_MS = 3 * 60_000

/**
 * The desk that speaks next and the position it then has; null while the market is closed. The day trader's script speaks
 * by day and holds nothing over night; the other one speaks by day and by night.
 */
export function nextMove(
  tape: Tape,
  desks: readonly [Desk, Desk],
  now_ms: number,
  { session, ends_at }: TradingSessionNow,
): { which: 0 | 1; after: number } | null {
  if (ends_at === null) return null
  const closing = msOf(ends_at) - now_ms < LAST_MS
  const turn = tape.between(0, 3) === 0 ? 1 : 0
  if (session === 'day' && closing && desks[0].position !== 0) return { which: 0, after: 0 }
  const which = session === 'night' || closing ? 1 : turn
  const { position, lots } = desks[which]
  if (position === 0) return { which, after: tape.between(0, 1) ? lots : -lots }
  return { which, after: tape.between(0, 4) === 0 ? -position : 0 }
}

/** 現在休市 … until when. */
export function closedText({ next }: Pick<TradingSessionNow, 'next'>): string {
  const when = next ? `等到 ${at(next.at)} ${next.session === 'day' ? '日盤' : '夜盤'}開盤再送` : '先不送'
  return `現在休市：即時訊號${when}。想現在就看：npm run demo -- always（那些訊號會標上「非交易時段」）`
}

function at(instant: string): string {
  const { date, time, weekday } = taipei(instant)
  return `${date.slice(5).replace('-', '/')} 週${'日一二三四五六'[weekday]} ${time.slice(0, 5)}`
}

/**
 * Sends until `signal` aborts; says each message's verdict. A server that is not there is tried again with the next
 * message. `always` also while the market is closed.
 */
export async function runFeed(
  url: string,
  demo: Demo,
  say: (line: string) => void,
  signal: AbortSignal,
  always = false,
): Promise<void> {
  const { desks, price, closed_days } = await deskOf(url, demo)
  const { hooks } = demo
  const tape = new Tape(Date.now() % 1_000_000, price)
  let waits_for = ''
  while (!signal.aborted) {
    await sleep(tape.between(8_000, 20_000), undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const now_ms = Date.now()
    const told = tradingSessionNow(new Date(now_ms).toISOString(), { has_night: true, closed_days })
    const running: TradingSessionNow =
      told.session === 'closed' && always
        ? { ...told, session: 'day', ends_at: new Date(now_ms + 2 * LAST_MS).toISOString() }
        : told
    const move = nextMove(tape, desks, now_ms, running)
    if (!move) {
      if (waits_for !== told.next?.at) say(closedText(told))
      waits_for = told.next?.at ?? ''
      continue
    }
    const { which, after } = move
    const desk = desks[which]
    const before = desk.position
    tape.walk(15)
    const comment = after === 0 ? '訊號出場' : before === 0 ? '突破進場' : '趨勢翻轉'
    const body = message({ at_ms: now_ms, ticker: desk.ticker, before, after, price: tape.price, comment })
    try {
      const answer = await fetch(url + hooks[which], {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
        signal,
      })
      if (answer.ok) desk.position = after
      const time = new Date(now_ms).toISOString().slice(11, 19)
      say(`${time} ${desk.ticker} ${before} → ${after} @ ${tape.price}：${answer.status}`)
    } catch (error) {
      if (!signal.aborted)
        say(`即時訊號送不出去，稍後再試：${error instanceof Error ? error.message : error}`)
    }
  }
}

// Connects the demonstration's trader with the receivers, through the calls that screens make.

/** The first time everything is bound, mail switched on and the order of channels emptied; later only the address of the program follows the port. */
export async function connectReceivers(
  url: string,
  stand: Stand,
  { account, password }: { account: string; password: string },
): Promise<void> {
  const { access_token } = await call(url, login, { account, password })
  const standing = new Map((await call(url, listChannels, {}, access_token)).map((one) => [one.channel, one]))
  const is = (channel: 'telegram' | 'line' | 'discord' | 'webhook') => standing.get(channel)?.state
  const first = is('webhook') === 'off' && is('discord') === 'off'
  await call(url, updateChannel, { channel: 'webhook', address: `${stand.url}/robot` }, access_token)
  if (!first) return
  await call(url, updateChannel, { channel: 'discord', address: DEMO_DISCORD }, access_token)
  // All at once: each receiver of the demonstration shows what comes there. By the order that nobody chose the first would be the only one.
  const all = { 'kinds.signal.email': true, 'fallback.order': [] }
  await call(url, updateNotificationSetting, all, access_token)
  for (const { channel, bind, binding } of BOUND) {
    if (is(channel) !== 'off') continue
    const { deep_link } = await call(url, bind, {}, access_token)
    const code = /[\w-]{22}(?![\w-])/.exec(decodeURIComponent(deep_link ?? ''))?.[0]
    if (!code) continue
    stand.tray.speakers.get(channel)?.(channel === 'telegram' ? `/start ${code}` : code)
    // the chat waits for the person's yes (docs/decisions/channels.md); without it the demonstration goes on, and the screen asks
    for (let looks = 0; looks < LOOKS; looks++) {
      const { waiting } = await call(url, binding, {}, access_token)
      if (waiting) {
        await call(url, bind, { confirm: waiting.id }, access_token)
        break
      }
      await setTimeout(LOOK_MS)
    }
  }
}

const BOUND = [
  { channel: 'telegram', bind: bindTelegram, binding: getTelegramBinding },
  { channel: 'line', bind: bindLine, binding: getLineBinding },
] as const
const LOOK_MS = 200
const LOOKS = 100
