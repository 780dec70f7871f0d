// 個股訊號設定: the rules of a stock strategy and one's own, written also offline, with what waits laid over them.
import { queryOptions } from '@tanstack/react-query'
import type { InputOf, MayWait, OutputOf } from '#contract/endpoint.ts'
import {
  createStockSetting,
  deleteStockSetting,
  listStockSettings,
  orderStockSettings,
  type StockSignalSetting,
  tryStockSettings,
  updateStockSetting,
} from '#contract/stock-signal-setting.ts'
import type { Ctx } from '../context.ts'
import { askAgain, getData, write } from '../current.ts'
import { keys } from '../keys.ts'
import type { OutboxSnapshot } from '../outbox/outbox.ts'

export const stockSettingQueries = {
  ofStrategy: (ctx: Ctx, id: string) =>
    queryOptions({
      queryKey: keys.strategy.rules(ctx, id),
      queryFn: ({ signal }) => getData().client.call(listStockSettings, { id }, { signal, ctx }),
    }),
}

type Items = readonly StockSignalSetting[]

/** A write that may wait; `label` is what 待送匣 calls it, `lay` puts what was answered into the list. */
function waits<E extends MayWait>(
  ctx: Ctx,
  id: string,
  endpoint: E,
  lay: (items: Items, answer: OutputOf<E>, input: Omit<InputOf<E>, 'id'>) => Items,
) {
  return write(
    ({ input, label }: { input: Omit<InputOf<E>, 'id'>; label: string }) =>
      getData().outbox.send(endpoint, { ...input, id } as unknown as InputOf<E>, { label }),
    (posted, { input }) => {
      if (posted.queued) return
      const { queryKey } = stockSettingQueries.ofStrategy(ctx, id)
      getData().query.setQueryData(
        queryKey,
        (known) => known && { items: [...lay(known.items, posted.result as OutputOf<E>, input)] },
      )
      void askAgain(queryKey)
    },
  )
}

export const stockSettingMutations = {
  create: (ctx: Ctx, id: string) => waits(ctx, id, createStockSetting, (items, made) => [...items, made]),
  update: (ctx: Ctx, id: string) =>
    waits(ctx, id, updateStockSetting, (items, changed) =>
      items.map((one) => (one.id === changed.id ? changed : one)),
    ),
  remove: (ctx: Ctx, id: string) =>
    waits(ctx, id, deleteStockSetting, (items, _gone, { setting_id }) =>
      items.filter((one) => one.id !== setting_id),
    ),
  /** Of all of one kind; needs the network. */
  order: (ctx: Ctx, id: string) =>
    write(
      (input: Omit<InputOf<typeof orderStockSettings>, 'id'>) =>
        getData().client.call(orderStockSettings, { ...input, id }, { ctx }),
      () => askAgain(keys.strategy.rules(ctx, id)),
    ),
  /** Which rule a signal would meet; changes nothing. */
  attempt: (ctx: Ctx, id: string) =>
    write((input: Omit<InputOf<typeof tryStockSettings>, 'id'>) =>
      getData().client.call(tryStockSettings, { ...input, id }, { ctx }),
    ),
}

/** A rule with what waits of it on this device. */
export type LaidSetting = StockSignalSetting & {
  /** It, or a change of it, has not arrived: only the outbox can take it back. */
  waits: 'made' | 'changed' | null
}

/** The rules as they will stand when what waits here has arrived. What was refused changes nothing. */
export function laySettings(
  items: readonly StockSignalSetting[],
  { rows }: OutboxSnapshot,
  ctx: Ctx,
  strategy_id: string,
): LaidSetting[] {
  let laid: LaidSetting[] = items.map((one) => ({ ...one, waits: null }))
  for (const { endpoint, params, body, state, key, created_at, ctx: of } of rows) {
    if (state === 'failed' || of !== ctx || params['id'] !== strategy_id) continue
    const which = params['setting_id']
    if (endpoint === deleteStockSetting.name) laid = laid.filter(({ id }) => id !== which)
    if (endpoint === updateStockSetting.name)
      laid = laid.map((one) => (one.id === which ? { ...one, ...body, waits: 'changed' } : one))
    if (endpoint === createStockSetting.name) {
      const made = body as Pick<StockSignalSetting, 'applies_to' | 'name' | 'match' | 'limits' | 'result'>
      const order = laid.filter(({ applies_to }) => applies_to === made.applies_to).length + 1
      laid.push({
        ...{ id: key, strategy_id, order, enabled: true, quantity_override: null },
        ...{ created_at, updated_at: created_at, waits: 'made' },
        ...made,
      })
    }
  }
  return laid
}
