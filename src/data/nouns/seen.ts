// What of the signals told in this app was shown and opened on this device, as receipts of the channel `in_app` (docs/decisions/web-push.md):
// of what came while the page was looked at, once, some seconds later, many in one call. And what was looked at or opened is read,
// everywhere: a batch of ids every five seconds.
import { hashKey, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import { readNotifications, type SignalNotification, sendReceipts } from '#contract/notification.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Clock } from '../clock.ts'
import type { Ctx } from '../context.ts'
import { firstSeen } from '../device/session-db.ts'
import { keys } from '../keys.ts'
import type { Heard } from '../live/run.ts'
import type { OutboxDoor } from '../outbox/door.ts'
import { onOpened } from './signal.ts'

/** Of a burst that many people see at the same moment not everybody speaks at the same moment. */
const FIRST_MS = 2_000
const SPREAD_MS = 8_000
/** Whoever opens a record did it alone. */
const OPENED_MS = 1_000
/** What was looked at within this is read in one call. */
const READ_MS = 5_000
/** What one call takes. */
const A_CALL = 200
/** So many wait at most: what a storm brings beyond them is not told of. */
const MOST = 1_000
/** Of the opened ones, which may have been told long ago. */
const MOST_OPENED = 50
/** The server's clock is known to about this. */
const CLOCK_MS = 2_000

export interface SeenPorts {
  query: QueryClient
  outbox: Pick<OutboxDoor, 'send'>
  clock: Clock
  /** Milliseconds since 1970 by the server's clock. */
  now(): number
  random(): number
  visible(): boolean
  on_change(listener: () => void): () => void
  /** Whose records are on the screen. */
  ctx(): Ctx
  uid(): string | null
  /** Runs it once what was drawn last stands on the screen. */
  painted(task: () => void): void
  /** Of these names those that this device has not told yet; noted. */
  first?(names: readonly string[]): Promise<readonly string[]>
  report(error: unknown, where: string): void
}

export interface SeenWatch {
  /** The handlers of events with a look at what they bring. */
  watching(heard: Heard): Heard
  stop(): void
}

type Word = 'shown' | 'opened'
type Items = InputOf<typeof sendReceipts>['items']
type Inbox = InfiniteData<{ items: readonly SignalNotification[] }>

/** Puts it in; the oldest go where there are too many. */
function keep<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.set(key, value)
  for (const old of map.keys()) {
    if (map.size <= most) return
    map.delete(old)
  }
}

export function watchSeen(ports: SeenPorts): SeenWatch {
  const { clock, query } = ports
  const uid = ports.uid()
  const first = ports.first ?? firstSeen
  const iso = () => new Date(ports.now()).toISOString()
  /** Came while one looked, and not painted yet; with when the server had it. */
  const coming = new Map<string, string>()
  /** When each was on the screen, or opened; told of once the inbox is known to have it. */
  const seen: Record<Word, Map<string, string>> = { shown: new Map(), opened: new Map() }
  const most: Record<Word, number> = { shown: MOST, opened: MOST_OPENED }
  /** Signals that stand in the inbox: only of those the server has something to note it on. */
  const told = new Map<string, true>()
  /** What goes out next, and what has gone. */
  const waiting = new Map<string, Items[number]>()
  const gone = new Map<string, true>()
  let looked_since: number | null = ports.visible() ? ports.now() : null
  let painting = false
  let timer: { at: number; cancel(): void } | null = null
  let stopped = false

  const later = (ms: number) => {
    const at = clock.now() + ms
    if (timer && timer.at <= at) return
    timer?.cancel()
    timer = { at, cancel: clock.after(ms, send) }
  }
  const pair = (word: Word, id: string) => {
    const at = seen[word].get(id)
    if (at === undefined || !told.has(id)) return
    seen[word].delete(id)
    const name = `${word} ${id}`
    if (gone.has(name) || waiting.size >= MOST) return
    keep(gone, name, true, 2 * MOST)
    const known = waiting.get(id) ?? { signal_id: id, channel: 'in_app' as const }
    waiting.set(id, { ...known, [`${word}_at`]: at })
    later(word === 'opened' ? OPENED_MS * (1 + ports.random()) : FIRST_MS + SPREAD_MS * ports.random())
  }
  /** Looked at or opened, and not told to be read yet. */
  const looks = new Set<string>()
  const known_read = new Map<string, true>()
  let cancelRead: (() => void) | null = null
  const look = (id: string) => {
    if (known_read.has(id)) return
    keep(known_read, id, true, 2 * MOST)
    looks.add(id)
    cancelRead ??= clock.after(READ_MS, read)
  }
  const read = () => {
    cancelRead?.()
    cancelRead = null
    const ids = [...looks]
    looks.clear()
    if (ids.length === 0 || stopped || ports.uid() !== uid) return
    const at = iso()
    const state = query.getQueryState(keys.person.signals)
    // On this screen at once, and in the copy of the device; the others hear of it.
    query.setQueryData<Inbox>(
      keys.person.signals,
      (told) =>
        told && {
          ...told,
          pages: told.pages.map((page) => ({
            ...page,
            items: page.items.map((one) =>
              one.read_at === null && one.signal_id !== null && ids.includes(one.signal_id)
                ? { ...one, read_at: at }
                : one,
            ),
          })),
        },
      { ...(state && { updatedAt: state.dataUpdatedAt }) },
    )
    const tell = async () => {
      for (let from = 0; from < ids.length; from += A_CALL)
        await ports.outbox.send(
          readNotifications,
          { signal_ids: ids.slice(from, from + A_CALL) },
          { label: '把看過的訊號標為已讀' },
        )
    }
    tell().catch((error: unknown) => ports.report(error, 'read'))
  }
  const flush = async () => {
    timer?.cancel()
    timer = null
    const items = [...waiting.values()]
    waiting.clear()
    if (items.length === 0 || stopped || ports.uid() !== uid) return
    const names = items.flatMap(({ signal_id, shown_at, opened_at }) => [
      ...(shown_at ? [`shown ${signal_id}`] : []),
      ...(opened_at ? [`opened ${signal_id}`] : []),
    ])
    // Without the device's storage this page still tells each once.
    const fresh = new Set(await first(names).catch(() => names))
    const rest = items.flatMap(({ shown_at, opened_at, ...one }) => {
      const shown = fresh.has(`shown ${one.signal_id}`) && shown_at
      const opened = fresh.has(`opened ${one.signal_id}`) && opened_at
      return shown || opened
        ? [{ ...one, ...(shown && { shown_at: shown }), ...(opened && { opened_at: opened }) }]
        : []
    })
    for (let from = 0; from < rest.length; from += A_CALL) {
      if (stopped || ports.uid() !== uid) return
      await ports.outbox.send(
        sendReceipts,
        { items: rest.slice(from, from + A_CALL) },
        { label: '回報訊號已顯示' },
      )
    }
    // A record's way is read anew when it is opened again; while it is open nothing of it moves.
    if (rest.length > 0)
      await query.invalidateQueries({ queryKey: keys.signal.all(ports.ctx()), refetchType: 'none' })
  }
  const send = () => {
    flush().catch((error: unknown) => ports.report(error, 'receipts'))
  }
  const painted = () => {
    painting = false
    const all = [...coming]
    coming.clear()
    if (stopped || !ports.visible()) return
    const at = iso()
    for (const [id, received_at] of all) {
      // The server's clock is known to half a second; nothing is shown before it is there.
      keep(seen.shown, id, at < received_at ? received_at : at, most.shown)
      pair('shown', id)
    }
  }
  const came = (ctx: Ctx, { id, quiet, received_at }: SignalRecord) => {
    if (quiet || looked_since === null || !ports.visible() || ctx !== ports.ctx()) return
    // What came before is read again after a break, or stood there when the page was opened.
    if (Date.parse(received_at) < looked_since - CLOCK_MS || coming.size >= MOST) return
    coming.set(id, received_at)
    if (painting) return
    painting = true
    ports.painted(painted)
  }
  const tell = ({ kind, signal_id }: SignalNotification) => {
    if (kind !== 'signal' || signal_id === null) return
    keep(told, signal_id, true, 2 * MOST)
    pair('shown', signal_id)
    pair('opened', signal_id)
  }
  const signals = hashKey(keys.person.signals)
  const readInbox = () => {
    if (seen.opened.size === 0) return
    for (const { items } of query.getQueryData<Inbox>(keys.person.signals)?.pages ?? [])
      for (const item of items)
        if (item.signal_id !== null && item.kind === 'signal' && seen.opened.has(item.signal_id)) tell(item)
  }
  const stops = [
    onOpened((did, id) => {
      look(id)
      if (did === 'looked' || gone.has(`opened ${id}`)) return
      keep(seen.opened, id, iso(), most.opened)
      pair('opened', id)
      readInbox()
    }),
    query.getQueryCache().subscribe(({ type, query: { queryHash } }) => {
      if (type === 'updated' && queryHash === signals) readInbox()
    }),
    ports.on_change(() => {
      if (ports.visible()) looked_since ??= ports.now()
      else {
        looked_since = null
        coming.clear()
        // A page that is put away may not come again.
        send()
        read()
      }
    }),
  ]
  return {
    watching: (heard) => (hands) => {
      const kinds = heard(hands)
      return {
        ...kinds,
        signal(ctx, record) {
          kinds.signal(ctx, record)
          came(ctx, record)
        },
        'signal-voided'(ctx, record) {
          kinds['signal-voided'](ctx, record)
          came(ctx, record)
        },
        notification(ctx, one) {
          kinds.notification(ctx, one)
          tell(one)
        },
      }
    },
    stop() {
      stopped = true
      cancelRead?.()
      timer?.cancel()
      for (const stop of stops) stop()
    },
  }
}
