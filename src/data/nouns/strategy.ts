// Strategies: what is asked about them, what is changed, and how my bell is shown while its call waits.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InputOf, OutputOf } from '#contract/endpoint.ts'
import type { Overwritten } from '#contract/notification.ts'
import {
  answerGap,
  createStrategy,
  deleteStrategy,
  duplicateStrategy,
  getNoteImage,
  getStrategy,
  listStrategies,
  noteImageIds,
  type Strategy,
  type StrategyDraft,
  settleExpiry,
  updateStrategy,
  updateStrategyNotify,
  uploadNoteImage,
} from '#contract/strategy.ts'
import type { Ctx } from '../context.ts'
import { askAgain, fetchUntold, getData, write } from '../current.ts'
import { foundIn } from '../device/answers.ts'
import { type Key, keys } from '../keys.ts'
import type { Arrived, OutboxSnapshot } from '../outbox/store.ts'
import { madeOf } from '../places.ts'
import { written } from './waiting.ts'

export type StrategyFilters = InputOf<typeof listStrategies>
export type NotifyChange = Omit<InputOf<typeof updateStrategyNotify>, 'id'>

/** What is asked for where the list is not narrowed; src/early.ts says the same. */
export const LISTED = { page_size: 100 } as const

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

/** True while a short is held back for want of an answer. */
export const asksShort = ({ warnings }: Pick<Strategy, 'warnings'>): boolean =>
  warnings.includes('asks_short')

const is_bell = ({ endpoint }: { endpoint: string }) => endpoint === updateStrategyNotify.name
const bellOf =
  (id: string) =>
  (call: { endpoint: string; params: Record<string, string> }): boolean =>
    is_bell(call) && call.params['id'] === id

/** The strategy with my bell as I set it. The same object when nothing waits. */
export function strategyWithPending(strategy: Strategy, outbox: OutboxSnapshot, data_at: number): Strategy {
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

// What a later edit on another device covered, read from the answers that the outbox keeps: also when the worker sent the call.

/** One covered value, with the name under which it was seen. */
export type Covered = Overwritten & { key: string }

/** What an answer says was covered; nothing where the server does not tell it yet. */
export function overwrittenIn({ result }: Pick<Arrived, 'result'>): readonly Overwritten[] {
  return (result as { overwritten?: Overwritten[] } | null | undefined)?.overwritten ?? []
}

/**
 * Values that two devices wrote differently: the earlier ones, while something else stands there. The newest of a path counts,
 * and whoever sets the field here afterwards has decided.
 */
export function coveredIn(
  { rows, receipts }: OutboxSnapshot,
  is_mine: (call: { endpoint: string; params: Record<string, string> }) => boolean,
  standing: (path: string) => unknown,
): Covered[] {
  const found = new Map<string, Covered>()
  const decided = (body: object | null) => {
    for (const path of Object.keys(body ?? {})) found.delete(path)
  }
  for (const receipt of receipts.filter(is_mine).sort((a, b) => a.sent_at - b.sent_at)) {
    decided(receipt.body)
    for (const one of overwrittenIn(receipt))
      found.set(one.path, { ...one, key: `${receipt.key} ${one.path}` })
  }
  for (const row of rows) if (row.state !== 'failed' && is_mine(row)) decided(row.body)
  return [...found.values()].filter(
    ({ path, value }) => JSON.stringify(standing(path)) !== JSON.stringify(value),
  )
}

// 複製: a strategy made after another one.

export const duplicateMutations = {
  make: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof duplicateStrategy>) => getData().client.call(duplicateStrategy, input, { ctx }),
      (made) => {
        getData().query.setQueryData(strategyQueries.one(ctx, made.id).queryKey, made)
        void askAgain(keys.all(ctx))
      },
    ),
}

// 契約已到期: a position left open in a month that is over is closed by the price somebody fills in.

export const expiryMutations = {
  settle: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof settleExpiry>) => getData().client.call(settleExpiry, input, { ctx }),
      () => {
        void askAgain(keys.strategy.all(ctx))
        fetchUntold()
      },
    ),
}

// 部位不一致: what somebody answers to a position that the source reported differently.

export const gapMutations = {
  /** The question goes with the next answer about the strategy; what was made comes by its event. */
  answer: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof answerGap>) => getData().client.call(answerGap, input, { ctx }),
      () => {
        void askAgain(keys.strategy.all(ctx), keys.dashboard(ctx))
        fetchUntold()
      },
    ),
}

// The name of every strategy one may see, for lists of records of more strategies than one page of them holds.

const PAGE = 100
/** Names change seldom, and then an event says so. */
const FRESH_MS = 600_000

type Names = [id: string, name: string][]

/**
 * By id, archived ones too. Not among the lists of strategies: those are asked for again after every signal, and this takes a call per
 * hundred. Kept on the device as the pairs they are.
 */
export const strategyNames = (ctx: Ctx) =>
  queryOptions({
    queryKey: keys.strategyNames(ctx),
    queryFn: async ({ signal }): Promise<Names> => {
      const parts = [await pagesOf(ctx, signal, {}), await pagesOf(ctx, signal, { status: 'archived' })]
      return madeOf(parts.flat(), parts)
    },
    staleTime: FRESH_MS,
  })

/** In the order of their making, which no signal changes while the pages are read. */
async function pagesOf(ctx: Ctx, signal: AbortSignal, of: { status?: 'archived' }): Promise<Names> {
  const names: Names = []
  const answers: unknown[] = []
  for (let page = 1; ; page++) {
    const asked = { ...of, sort: 'created', page, page_size: PAGE } as const
    const answer = await getData().client.call(listStrategies, asked, { signal, ctx })
    answers.push(answer)
    const { items, total } = answer
    names.push(...items.map(({ id, name }): Names[number] => [id, name]))
    if (items.length === 0 || page * PAGE >= total) return madeOf(names, answers)
  }
}

// Pictures of a strategy's note: each is an answer like every other, kept under its context with the strategy's id in it, so that what takes the strategy takes it.

export const noteImageQueries = {
  /** `strategy_id` empty before there is a strategy. `url` is the picture itself, to be shown as it is. */
  one: (ctx: Ctx, strategy_id: string, id: string) =>
    queryOptions({
      queryKey: keys.noteImage(ctx, strategy_id, id),
      queryFn: async ({ signal }) => {
        const { blob } = await getData().client.download(getNoteImage, { id }, { signal, ctx })
        return { strategy_id, url: await dataUrl(blob) }
      },
      // It never changes: another one has another id.
      staleTime: Number.POSITIVE_INFINITY,
      // before there is a strategy nothing would take it away again
      meta: { keep: strategy_id === '' ? false : 'for good' },
    }),
}

export const noteImageMutations = {
  upload: (ctx: Ctx) =>
    write((input: InputOf<typeof uploadNoteImage>) => getData().client.call(uploadNoteImage, input, { ctx })),
}

/** Fetches what this device does not have yet of a note's pictures, one after the other: they are there when the network is not. */
export async function keepNoteImages(ctx: Ctx, { id, note }: { id: string; note: string }): Promise<void> {
  for (const image_id of noteImageIds(note))
    await getData().query.prefetchQuery(noteImageQueries.one(ctx, id, image_id))
}

/** Text, and so whatever sweeps answers by what stands in them can read it. */
async function dataUrl(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let signs = ''
  for (let from = 0; from < bytes.length; from += 8_192)
    signs += String.fromCharCode(...bytes.subarray(from, from + 8_192))
  return `data:image/webp;base64,${btoa(signs)}`
}
