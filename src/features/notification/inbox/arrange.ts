// The inbox as it is read: what was unread when it was opened on top, each part by day, and many signals of one strategy in a row as one line.
import type { SignalNotification } from '#contract/notification.ts'
import { taipei } from '#text/time.ts'

/** So many signals of one strategy, one right after the other, become one line that opens. */
const DIGEST_FROM = 4

export type InboxItem =
  | { kind: 'one'; key: string; item: SignalNotification }
  | { kind: 'digest'; key: string; items: readonly SignalNotification[] }
export interface InboxDay {
  /** `YYYY-MM-DD` of Taipei. */
  day: string
  count: number
  lines: readonly InboxItem[]
}

/** Newest first in, newest day first out. */
export function byDay(items: readonly SignalNotification[]): InboxDay[] {
  return [...Map.groupBy(items, ({ created_at }) => taipei(created_at).day)].map(([day, own]) => ({
    day,
    count: own.length,
    lines: lines(own),
  }))
}

const sameStrategy = (a: SignalNotification | undefined, b: SignalNotification) =>
  a?.kind === 'signal' && b.kind === 'signal' && a.strategy_id !== null && a.strategy_id === b.strategy_id

function lines(items: readonly SignalNotification[]): InboxItem[] {
  const runs: SignalNotification[][] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run && sameStrategy(run[0], item)) run.push(item)
    else runs.push([item])
  }
  return runs.flatMap((run): InboxItem[] =>
    run.length >= DIGEST_FROM
      ? // named by its oldest: one more on top leaves it open
        [{ kind: 'digest', key: `digest ${run.at(-1)?.id}`, items: run }]
      : run.map((item) => ({ kind: 'one', key: item.id, item })),
  )
}
