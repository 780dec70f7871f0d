// Strategies: what is asked about them, what is changed, and how my bell is shown while its call waits.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InputOf, OutputOf } from '#contract/endpoint.ts'
import {
  createStrategy,
  deleteStrategy,
  getStrategy,
  listStrategies,
  type Strategy,
  type StrategyDraft,
  updateStrategy,
  updateStrategyNotify,
} from '#contract/strategy.ts'
import type { Ctx } from '../context.ts'
import { askAgain, getData, write } from '../current.ts'
import { foundIn } from '../device/answers.ts'
import { type Key, keys } from '../keys.ts'
import { type OutboxSnapshot, written } from '../outbox/outbox.ts'
import { type Covered, coveredIn, overwrittenIn } from './covered.ts'

export type StrategyFilters = InputOf<typeof listStrategies>
export type NotifyChange = Omit<InputOf<typeof updateStrategyNotify>, 'id'>

/** Figures that are being worked out are asked for again so soon: there is no event for them, nothing has happened. */
const BEHIND_MS = 2_000
const isBehind = ({ recalculating }: Strategy) => recalculating === true

export const strategyQueries = {
  list: (ctx: Ctx, filters: StrategyFilters = {}) =>
    queryOptions({
      queryKey: keys.strategy.list(ctx, filters),
      queryFn: ({ signal }) => getData().client.call(listStrategies, filters, { signal, ctx }),
      refetchInterval: ({ state }) => (state.data?.items.some(isBehind) ? BEHIND_MS : false),
      // Only within the context: another identity's list must not stand in for this one.
      placeholderData: (previous, query) =>
        query?.queryKey[0] === ctx ? keepPreviousData(previous) : undefined,
    }),
  one: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: keys.strategy.one(ctx, id),
      queryFn: ({ signal }) => getData().client.call(getStrategy, { id }, { signal, ctx }),
      meta: foundIn(id, keys.strategy.list(ctx), keys.dashboard(ctx)),
    }),
}

/** Those that stand in any of the lists that were asked for on this page, whichever part of them. */
export function listedStrategies(ctx: Ctx): Strategy[] {
  const lists = getData().query.getQueriesData<OutputOf<typeof listStrategies>>({
    queryKey: keys.strategy.list(ctx),
  })
  const found = new Map(lists.flatMap(([, list]) => list?.items ?? []).map((one) => [one.id, one]))
  return [...found.values()]
}

/** The answer takes its place at once; what else shows it is asked for again. */
function took(ctx: Ctx, strategy: Strategy, ...again: readonly Key[]): void {
  getData().query.setQueryData(strategyQueries.one(ctx, strategy.id).queryKey, strategy)
  void askAgain(...again)
}

export const strategyMutations = {
  /** `key` once per content: a lost answer and another press do not make two. */
  create: (ctx: Ctx) =>
    write(
      ({ input, key }: { input: StrategyDraft; key: string }) =>
        getData().client.call(createStrategy, input, { ctx, idempotency_key: key }),
      (made) => took(ctx, made, keys.all(ctx)),
    ),
  update: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof updateStrategy>) => getData().client.call(updateStrategy, input, { ctx }),
      (saved) => took(ctx, saved, keys.all(ctx)),
    ),
  /** Pausing, resuming, archiving. Whatever became of it, what is shown is asked for again. */
  turn: (ctx: Ctx) => ({
    ...write(
      ({ id, status }: Pick<Strategy, 'id' | 'name' | 'status'>) =>
        getData().client.call(updateStrategy, { id, status }, { ctx }),
      (changed) => took(ctx, changed),
    ),
    onSettled: () => void askAgain(keys.strategy.all(ctx)),
  }),
  remove: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof deleteStrategy>) => getData().client.call(deleteStrategy, input, { ctx }),
      () => void askAgain(keys.strategy.all(ctx)),
    ),
  /** My bell, and what else I have set for this strategy. It may wait in the outbox, and is laid over what is shown until then. */
  notify: () =>
    write(({ id, name, ...changes }: Pick<Strategy, 'id' | 'name'> & NotifyChange) =>
      getData().outbox.send(
        updateStrategyNotify,
        { id, ...changes },
        {
          label:
            changes.enabled === undefined
              ? `改「${name}」的通知`
              : `${changes.enabled ? '打開' : '關掉'}「${name}」的通知`,
          ...(changes.enabled !== undefined && { base: { enabled: !changes.enabled } }),
        },
      ),
    ),
}

const is_bell = ({ endpoint }: { endpoint: string }) => endpoint === updateStrategyNotify.name
const bellOf =
  (id: string) =>
  (call: { endpoint: string; params: Record<string, string> }): boolean =>
    is_bell(call) && call.params['id'] === id

/** The strategy with my bell as I set it. The same object when nothing waits. */
export function layStrategy(strategy: Strategy, outbox: OutboxSnapshot, data_at: number): Strategy {
  const fields = written(outbox, data_at, bellOf(strategy.id))
  if (!fields) return strategy
  const { edited_at: _at, overwritten: _covered, ...bell } = fields
  return { ...strategy, my_notify: { ...strategy.my_notify, ...bell } }
}

/** What another device's later edit covered of my bell, while something else stands there. `strategy` has what waits laid over it. */
export const coveredBell = (outbox: OutboxSnapshot, { id, my_notify }: Strategy): Covered[] =>
  coveredIn(outbox, bellOf(id), (path) => my_notify[path as keyof Strategy['my_notify']])

/** The strategies of this context of whose bell anything was covered, by their ids. */
export function coveredBells({ receipts }: OutboxSnapshot, ctx: Ctx): string[] {
  const covered = receipts.filter(
    (receipt) => receipt.ctx === ctx && is_bell(receipt) && overwrittenIn(receipt).length > 0,
  )
  return [...new Set(covered.flatMap(({ params }) => params['id'] ?? []))]
}
