// My notification setting: changed field by field, also offline; what a later edit on another device covered can be put back.
import { queryOptions } from '@tanstack/react-query'
import {
  bindLine,
  bindTelegram,
  getLineBinding,
  getTelegramBinding,
  testPush,
  unbindLine,
  unbindTelegram,
  unmuteTelegram,
} from '#contract/binding.ts'
import { type BoundChannel, type ChannelId, connectedBy } from '#contract/channels.ts'
import type { InputOf, MayWait, OutputOf } from '#contract/endpoint.ts'
import {
  deleteChannel,
  getNotificationSetting,
  listChannels,
  type NotificationSetting,
  type SettingPath,
  testChannel,
  updateChannel,
  updateNotificationSetting,
} from '#contract/notification.ts'
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
import type { OutboxSnapshot } from '../outbox/store.ts'
import { type Covered, coveredIn } from './strategy.ts'
import { written } from './waiting.ts'

/** Fields by their paths. */
export type SettingChanges = Partial<Record<SettingPath, unknown>> & { edited_at?: string }

export const settingQueries = {
  mine: () =>
    queryOptions({
      queryKey: keys.person.notification_setting,
      queryFn: ({ signal }) => getData().client.call(getNotificationSetting, {}, { signal }),
    }),
}

export const settingMutations = {
  /** `known` is what stands there: the values before, for who looks at what waits. */
  change: () =>
    write(
      ({ changes, label, known }: { changes: SettingChanges; label: string; known: NotificationSetting }) =>
        getData().outbox.send(updateNotificationSetting, changes, {
          label,
          base: Object.fromEntries(
            Object.keys(changes)
              .filter((path) => path !== 'edited_at')
              .map((path) => [path, valueAt(known, path)]),
          ),
        }),
      (posted) => {
        if (posted.queued) return
        const { overwritten: _covered, ...setting } = posted.result
        getData().query.setQueryData(settingQueries.mine().queryKey, setting)
      },
    ),
}

/** What stands at a path. */
export function valueAt(setting: NotificationSetting, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], setting)
}

const is_mine = ({ endpoint }: { endpoint: string }) => endpoint === updateNotificationSetting.name

/** The setting as the person left it. The same object when nothing waits. */
export function settingWithPending(
  setting: NotificationSetting,
  { rows, receipts }: OutboxSnapshot,
  data_at: number,
): NotificationSetting {
  // what has arrived speaks through its answer: another device's later edit may stand in it
  const answered = written({ rows: [], receipts }, data_at, is_mine)
  const waiting = written({ rows, receipts: [] }, data_at, is_mine)
  if (!answered && !waiting) return setting
  let laid = setting
  if (answered)
    laid = Object.fromEntries(
      Object.entries(setting).map(([name, value]) => [name, answered[name] ?? value]),
    ) as NotificationSetting
  for (const [path, value] of Object.entries(waiting ?? {}))
    if (valueAt(laid, path) !== undefined) laid = put(laid, path.split('.'), value) as NotificationSetting
  return laid
}

function put(part: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const own = part as Record<string, unknown>
  return { ...own, [name]: put(own[name], rest, value) }
}

/** What another device's later edit covered, while something else stands there. */
export const coveredValues = (outbox: OutboxSnapshot, setting: NotificationSetting): Covered[] =>
  coveredIn(outbox, is_mine, (path) => valueAt(setting, path))

// The channels over which I am reached: their state, binding an account, addresses, and the test of each.

const BINDING = {
  telegram: { get: getTelegramBinding, start: bindTelegram, end: unbindTelegram },
  line: { get: getLineBinding, start: bindLine, end: unbindLine },
} as const satisfies Record<BoundChannel, object>

export const channelQueries = {
  list: () =>
    queryOptions({
      queryKey: keys.person.channels,
      queryFn: ({ signal }) => getData().client.call(listChannels, {}, { signal }),
    }),
  /** How far the binding is; a one-time link is nobody's to keep. */
  binding: (channel: BoundChannel) =>
    queryOptions({
      queryKey: keys.person.binding(channel),
      queryFn: ({ signal }) => getData().client.call(BINDING[channel].get, {}, { signal }),
      meta: { keep: false },
      gcTime: 0,
    }),
}

/** A channel shows in its list, in the setting, and among what is to be done. */
function askChannels(): void {
  void askAgain(keys.person.channels, keys.person.notification_setting, keys.dashboard('personal'))
}

export const channelMutations = {
  bind: (channel: BoundChannel) =>
    write(
      () => getData().client.call(BINDING[channel].start, {}),
      (begun) => getData().query.setQueryData(channelQueries.binding(channel).queryKey, begun),
    ),
  /** The chat that waits is mine. */
  confirm: (channel: BoundChannel) =>
    write(
      (confirm: string) => getData().client.call(BINDING[channel].start, { confirm }),
      (bound) => {
        getData().query.setQueryData(channelQueries.binding(channel).queryKey, bound)
        askChannels()
      },
    ),
  unbind: (channel: BoundChannel) =>
    write(() => getData().client.call(BINDING[channel].end, {}), askChannels),
  /** Every chat of mine is told again. */
  unmute: () => write(() => getData().client.call(unmuteTelegram, {}), askChannels),
  /** Its address, whose signals go there, or a new secret, which comes back once. */
  update: () =>
    write((input: InputOf<typeof updateChannel>) => getData().client.call(updateChannel, input), askChannels),
  remove: () =>
    write((input: InputOf<typeof deleteChannel>) => getData().client.call(deleteChannel, input), askChannels),
  /** One result, of push one per device. */
  test: () =>
    write(
      async (channel: ChannelId) =>
        connectedBy(channel) === 'device'
          ? getData().client.call(testPush, {})
          : [await getData().client.call(testChannel, { channel })],
      () => void askAgain(keys.person.channels, keys.person.push_devices),
    ),
}

// 個股訊號設定: the rules of a stock strategy and one's own, written also offline, with what waits laid over them.

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
export type SettingWithPending = StockSignalSetting & {
  /** It, or a change of it, has not arrived: only the outbox can take it back. */
  waits: 'made' | 'changed' | null
}

/** The rules as they will stand when what waits here has arrived. What was refused changes nothing. */
export function settingsWithPending(
  items: readonly StockSignalSetting[],
  { rows }: OutboxSnapshot,
  ctx: Ctx,
  strategy_id: string,
): SettingWithPending[] {
  let laid: SettingWithPending[] = items.map((one) => ({ ...one, waits: null }))
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
