// A strategy with a few trades on it, for tests of its record.
import { setTimeout as sleep } from 'node:timers/promises'
import type { SignalRecord } from '#contract/signal.ts'
import { signalFeed } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import type { Desk } from './desk.ts'

/**
 * Posts the trades one after the other: a price of null is left out of its message. Gives the records in order. Each has a moment of
 * its own: within one, exits come before entries, whatever was sent first.
 */
export async function trade(
  desk: Desk,
  strategy: Strategy,
  trades: readonly { action: string; price: number | null; note?: string; symbol?: string }[],
): Promise<SignalRecord[]> {
  const ids: string[] = []
  const { now } = desk.server.app
  for (const { price, ...said } of trades) {
    const message = { symbol: 'TXF1!', quantity: 1, ...said, ...(price !== null && { price }) }
    ids.push((await desk.hook(strategy, message)).signal_id as string)
    for (const at = now(); now() === at; ) await sleep(1)
  }
  const all = await recordsOf(desk, strategy.id)
  return ids.map((id) => all.find((record) => record.id === id) as SignalRecord)
}

/** Every record of a strategy as the feed tells them, in chain order. */
export async function recordsOf(desk: Desk, strategy_id: string): Promise<SignalRecord[]> {
  const { items } = await desk.person.call(signalFeed, { strategy_id, limit: 1_000 })
  return items
}
