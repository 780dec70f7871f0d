// One signal: what is asked about it, and the further records that take it back or give it another price. The list in memory needs no question (device/signals.ts).
import { queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import { correctSignal, exportSignals, getSignal, voidSignal } from '#contract/signal.ts'
import type { Ctx } from '../context.ts'
import { fetchUntold, getData, write } from '../current.ts'
import { keys } from '../keys.ts'

export const signalQueries = {
  /** The record with timeline and raw message; `getData().signals.get(id)` has the record at once. */
  one: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: keys.signal.one(ctx, id),
      queryFn: ({ signal }) => getData().client.call(getSignal, { id }, { signal, ctx }),
    }),
}

export const signalMutations = {
  void: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof voidSignal>) => getData().client.call(voidSignal, input, { ctx }),
      fetchUntold,
    ),
  correct: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof correctSignal>) => getData().client.call(correctSignal, input, { ctx }),
      fetchUntold,
    ),
  /** All of a strategy's as a file; changes nothing. */
  export: (ctx: Ctx) =>
    write((input: InputOf<typeof exportSignals>) => getData().client.download(exportSignals, input, { ctx })),
}

// A person opened a record, or looked at it in the feed: said to whoever tells the server of it (nouns/seen.ts), which comes later
// than the first screen.

export type Did = 'opened' | 'looked'

/** What was done before somebody listened; a page opens with a record, and with a screen of them. */
const MOST = 50
let waiting: [Did, string][] = []
let hear: ((did: Did, signal_id: string) => void) | null = null

function say(did: Did, signal_id: string): void {
  if (hear) hear(did, signal_id)
  else waiting = [...waiting, [did, signal_id] satisfies [Did, string]].slice(-MOST)
}
export const opened = (signal_id: string): void => say('opened', signal_id)
/** It stood in view for a second. */
export const looked = (signal_id: string): void => say('looked', signal_id)

/** Hears them from now on; the returned function ends it. */
export function onOpened(listener: (did: Did, signal_id: string) => void): () => void {
  hear = listener
  const before = waiting
  waiting = []
  for (const [did, id] of before) listener(did, id)
  return () => {
    if (hear === listener) hear = null
    waiting = []
  }
}
