// My notification setting: changed field by field, also offline; what a later edit on another device covered can be put back.
import { queryOptions } from '@tanstack/react-query'
import {
  getNotificationSetting,
  type NotificationSetting,
  type SettingPath,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { getData, write } from '../current.ts'
import { keys } from '../keys.ts'
import { type OutboxSnapshot, written } from '../outbox/outbox.ts'
import { type Covered, coveredIn } from './covered.ts'

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
export function laySetting(
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
