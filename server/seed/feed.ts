// The live part of the demonstration: messages over HTTP every few seconds, as two scripts would send them.
import { setTimeout as sleep } from 'node:timers/promises'
import { message, Tape } from './story.ts'

interface Desk {
  ticker: string
  lots: number
  position: number
}

/** Sends until `signal` aborts; says each message's verdict. A server that is not there is tried again with the next message. */
export async function runFeed(
  url: string,
  hooks: readonly [string, string],
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const tape = new Tape(Date.now() % 1_000_000, 46_480)
  const desks: [Desk, Desk] = [
    { ticker: 'MXF1!', lots: 2, position: 0 },
    { ticker: 'TXF1!', lots: 1, position: 0 },
  ]
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
