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
