// The live part of the demonstration: messages over HTTP every few seconds, as two scripts would send them.
import { setTimeout as sleep } from 'node:timers/promises'
import { login } from '#contract/session.ts'
import { listStrategies } from '#contract/strategy.ts'
import { call } from './call.ts'
import type { Demo } from './demo.ts'
import { message, Tape } from './story.ts'

interface Desk {
  ticker: string
  lots: number
  position: number
}

/** Where the two strategies stand now, as anybody who signs in sees it: the feed goes on from there. */
async function deskOf(url: string, demo: Demo): Promise<{ desks: [Desk, Desk]; price: number }> {
  const { account, password } = demo
  const { access_token } = await call(url, login, { account, password })
  const { items } = await call(url, listStrategies, {}, access_token)
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
  return { desks, price: newest.price ?? 46_000 }
}

/** Sends until `signal` aborts; says each message's verdict. A server that is not there is tried again with the next message. */
export async function runFeed(
  url: string,
  demo: Demo,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { desks, price } = await deskOf(url, demo)
  const { hooks } = demo
  const tape = new Tape(Date.now() % 1_000_000, price)
  while (!signal.aborted) {
    await sleep(tape.between(8_000, 20_000), undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const which = tape.between(0, 3) === 0 ? 1 : 0
    const desk = desks[which]
    const before = desk.position
    const after =
      before === 0 ? (tape.between(0, 1) ? desk.lots : -desk.lots) : tape.between(0, 4) === 0 ? -before : 0
    tape.walk(15)
    const comment = after === 0 ? '訊號出場' : before === 0 ? '突破進場' : '趨勢翻轉'
    const body = message({
      at_ms: Date.now(),
      ticker: desk.ticker,
      before,
      after,
      price: tape.price,
      comment,
    })
    try {
      const answer = await fetch(url + hooks[which], {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
        signal,
      })
      if (answer.ok) desk.position = after
      say(
        `${new Date().toISOString().slice(11, 19)} ${desk.ticker} ${before} → ${after} @ ${tape.price}：${answer.status}`,
      )
    } catch (error) {
      if (!signal.aborted)
        say(`即時訊號送不出去，稍後再試：${error instanceof Error ? error.message : error}`)
    }
  }
}
