/* The virtual list of records by trading day, for thousands of them: only the rows in sight exist. */

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  memo,
  type KeyboardEvent as Pressed,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { SignalRecord } from '#contract/signal.ts'
import { looked } from '#data/nouns/signal.ts'
import { useDrawn } from '#screen/after-paint.ts'
import { taken } from '#screen/keys.ts'
import { dayTitle, mdHm, taipei } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { rowOf } from '#text/row.ts'
import { besideText } from '#text/signal.ts'
import { DayHeader, NewPill } from '#ui/nouns/DayHeader.tsx'
import { SignalRow } from '#ui/nouns/SignalRow.tsx'
import { cx } from '#ui/open.ts'
import { UnreadDot } from '#ui/Tag.tsx'
import { entriesOf, entryAt, type ListEntry, startsOf } from './days.ts'
import css from './SignalBoard.module.css'

/** `all` every record of the scope, `match` which of them are listed (null all). `names` null leaves the strategy out. `reach` gets the way to a row. */
export type SignalWindowProps = {
  all: readonly SignalRecord[]
  match: ((record: SignalRecord) => boolean) | null
  filters: string
  loaded: boolean
  names: ReadonlyMap<string, string> | null
  masked: boolean
  hrefOf: (id: string) => string
  onOpen: (id: string) => void
  onFix: ((id: string) => void) | undefined
  reach: RefObject<Reach | null>
  reading: Reading
  /** False leaves the P&L out, as the first card of the page does. */
  money: boolean
}

const always = () => true

/** Not drawn again by a record that opens over it. */
export const SignalWindow = memo(function SignalWindow(props: SignalWindowProps) {
  const { all, match, filters, loaded, names, masked, hrefOf, onOpen, onFix, reach, reading, money } = props
  const records = useMemo(() => (match ? all.filter(match) : all), [all, match])
  const entries = useMemo(() => entriesOf(records), [records])
  const box = useRef<HTMLDivElement>(null)
  const { virtual, starts, stuck, away, setActive } = useWindow(box, entries, filters)
  const travel = useTravel(box, entries, { virtual, setActive }, reach)
  const { fresh, missed, seen } = useArrivals(all, loaded, match ?? always, away)
  useEffect(() => {
    const onScroll = () => {
      if (!away()) seen()
    }
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [away, seen])

  useLooks(box)
  const left = useMemo(
    () => (reading.left === null ? -1 : entries.findIndex(({ key }) => key === reading.left)),
    [entries, reading.left],
  )
  const items = virtual.getVirtualItems()
  const today = taipei(serverNow()).day
  const top = () => window.scrollTo({ top: 0, behavior: calm() ? 'instant' : 'smooth' })
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens for the arrow keys of the rows inside */}
      <div ref={box} className={css.window} data-window="" onKeyDown={travel}>
        <ul style={{ height: starts[entries.length] ?? 0 }} aria-label="訊號">
          {left > 0 && items.some(({ index }) => index === left) && <LeftOff place={starts[left] ?? 0} />}
          {items.map(({ index }) => {
            const entry = entries[index]
            if (!entry) return null
            const place = index === stuck.current ? null : (starts[index] ?? 0)
            if (entry.kind === 'day')
              return (
                <DaySlot
                  key={entry.key}
                  entry={money ? entry : { ...entry, realised: null }}
                  whole={loaded}
                  place={place}
                  today={today}
                  masked={masked}
                />
              )
            return (
              <RowSlot
                key={entry.key}
                place={place}
                at={entry.at}
                of={records.length}
                record={entry.record}
                dated={isEve(entry.record, today)}
                strategy={names ? (names.get(entry.record.strategy_id) ?? '') : noteOf(entry.record)}
                highlight={fresh.has(entry.key)}
                unread={reading.unread(entry.key)}
                masked={masked}
                money={money}
                hrefOf={hrefOf}
                onOpen={onOpen}
                onFix={onFix}
              />
            )
          })}
        </ul>
      </div>
      <NewPill count={missed} onClick={top} />
    </>
  )
})

/** Of the evening before: under 今天 its bare time would be one to come. */
function isEve({ trading_date, occurred_at }: SignalRecord, today: string): boolean {
  return trading_date === today && taipei(occurred_at).day < today
}

/** A void's and a correction's own words stand in its state. */
function noteOf(record: SignalRecord): string | null {
  return record.refers_to === null ? record.note : null
}

function calm(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/* The boxes of the virtual list's lines. While it scrolls, only what comes in is drawn: every other box stays as it is. */

/** `place` px from the list's top; null sticks under the filters. */
type Placed = { place: number | null }

function styleAt(place: number | null): CSSProperties {
  return place === null ? { paddingTop: 0 } : { transform: `translateY(${place}px)` }
}

/** `today` the day now in Taipei: the evening's session belongs to the next one, and a day to come is named as one. `whole`: of a part of the day nothing is summed up. */
export type DaySlotProps = Placed & {
  entry: Extract<ListEntry, { kind: 'day' }>
  whole: boolean
  today: string
  masked: boolean
}

export const DaySlot = memo(function DaySlot({ entry, whole, place, today, masked }: DaySlotProps) {
  const title = dayTitle(entry.day, `${today}T00:00:00+08:00`)
  return (
    <li className={place === null ? cx(css.slot, css.stuck) : css.slot} style={styleAt(place)}>
      <DayHeader
        className={css.day}
        title={title}
        {...(entry.day > today && entry.night && { note: '含夜盤' })}
        {...(whole && {
          count: entry.count,
          besides: besideText(entry)
            .map((words) => ` · ${words}`)
            .join(''),
          realised: entry.realised,
        })}
        masked={masked}
      />
    </li>
  )
})

/** 「看到這裡」, on the line above the record that was read last: it takes no room, so nothing moves when it comes. */
export const LeftOff = memo(function LeftOff({ place }: { place: number }) {
  return (
    <li className={css.left} style={styleAt(place)}>
      <span>看到這裡</span>
    </li>
  )
})

/** `at` the record's place among the `of` that are listed, from 0; `unread` the person was told of it and has not looked. */
export type RowSlotProps = Placed & RecordRowProps & { at: number; of: number; unread: boolean }

export const RowSlot = memo(function RowSlot({ place, at, of, unread, ...row }: RowSlotProps) {
  return (
    <li
      className={css.slot}
      style={styleAt(place)}
      data-key={row.record.id}
      data-unread={unread || undefined}
      aria-setsize={of}
      aria-posinset={at + 1}
    >
      {unread && (
        <>
          <UnreadDot />
          <span className="vh">未讀：</span>
        </>
      )}
      <RecordRow {...row} />
    </li>
  )
})

/* One record in the list; drawn again only when its own record or its highlight changes. */

/** `dated` says the day beside the time; `strategy` is the strategy's name, inside one strategy the record's own note. `onOpen` gets the record's id. */
export type RecordRowProps = {
  record: SignalRecord
  dated: boolean
  strategy: string | null
  highlight: boolean
  masked: boolean
  money: boolean
  /** The record's own address on this page. */
  hrefOf: (id: string) => string
  onOpen: (id: string) => void
  /** Gets the id of a record without a price; undefined for those who may not edit. */
  onFix: ((id: string) => void) | undefined
}

export const RecordRow = memo(function RecordRow({
  record,
  dated,
  strategy,
  highlight,
  masked,
  money,
  hrefOf,
  onOpen,
  onFix,
}: RecordRowProps) {
  return (
    <SignalRow
      {...rowOf(record, strategy)}
      {...(!money && { pnl: null })}
      {...(dated && { time: mdHm(record.occurred_at) })}
      as="div"
      className={css.row}
      highlight={highlight}
      masked={masked}
      href={hrefOf(record.id)}
      onOpen={() => onOpen(record.id)}
      {...(onFix && record.derived.status === 'pending_price' && { onFix: () => onFix(record.id) })}
    />
  )
})

/* Which records have just come in: highlighted for 1.2 s, and counted while the person has scrolled away; quiet ones are neither. */

const HIGHLIGHT_MS = 1_200
const NONE: ReadonlySet<string> = new Set()

/** `records` all of this list's scope, unfiltered; `loaded` once the device has looked; `counts` whether a record is on the list at all. */
export function useArrivals(
  records: readonly SignalRecord[],
  loaded: boolean,
  counts: (record: SignalRecord) => boolean,
  away: () => boolean,
) {
  /** The highest seq seen; older pages that load in the background lie below it and are no news. */
  const newest = useRef<number | null>(null)
  const [fresh, setFresh] = useState(NONE)
  const [missed, setMissed] = useState(0)
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())

  useLayoutEffect(() => {
    const known = newest.current
    const high = records.reduce((max, record) => Math.max(max, record.seq), known ?? 0)
    if (known === null) {
      if (loaded) newest.current = high
      return
    }
    if (high <= known) return
    newest.current = high
    const ids = records
      .filter((record) => record.seq > known && !record.quiet && counts(record))
      .map((record) => record.id)
    if (ids.length === 0) return
    setFresh((old) => new Set([...old, ...ids]))
    if (away()) setMissed((n) => n + ids.length)
    const timer = setTimeout(() => {
      timers.current.delete(timer)
      setFresh((old) => new Set([...old].filter((id) => !ids.includes(id))))
    }, HIGHLIGHT_MS)
    timers.current.add(timer)
  }, [records, loaded, counts, away])

  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running) clearTimeout(timer)
    }
  }, [])
  return { fresh, missed, seen: useCallback(() => setMissed(0), []) }
}

/* The window of rows: fixed heights, the page itself scrolls, a day's header sticks, and rows that come in above never move what is read. */

/** Heights of ui/SignalRow and ui/DayHeader; from 720 px of the list's own width on a row is one line, else two: 64 px, 48 on a phone on its side. */
const [ONE_LINE, HEADER, WIDE_PX] = [44, 36, 720]
const twoLines = (box: HTMLElement) =>
  Number.parseFloat(getComputedStyle(box).getPropertyValue('--row-phone'))

/** What the height is most likely, before the list stands and can be asked: a wrong one would draw every row twice. */
const likely = () => {
  const is = (query: string) => matchMedia(query).matches
  return is('(min-width: 560px) and (max-height: 480px)') ? 48 : is('(min-width: 768px)') ? ONE_LINE : 64
}

/** What lies over the page's top edge and hides rows (top bar, filters), in px: the list's CSS says it as scroll-margin-top. */
function covered(box: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(box).scrollMarginTop) || 0
}

/** `filters` changes when another set of records is asked for: then the list starts at its top instead of keeping its place. */
export function useWindow(
  box: RefObject<HTMLElement | null>,
  entries: readonly ListEntry[],
  filters: string,
) {
  const [frame, setFrame] = useState(() => ({ top: 0, row: likely(), covered: 0 }))
  const { row } = frame
  const starts = useMemo(() => startsOf(entries, row, HEADER), [entries, row])
  const [active, setActive] = useState(-1)
  const stuck = useRef(0)
  const lean = !useDrawn(filters)
  const drawn = useRef<{ of: readonly ListEntry[]; rows: Drawn } | null>(null)

  useLayoutEffect(() => {
    const node = box.current
    if (!node) return
    const measure = () => {
      const rect = node.getBoundingClientRect()
      // without its border, as the styles' container measures: at 768 px the two differ
      const row = node.clientWidth >= WIDE_PX ? ONE_LINE : twoLines(node)
      const next = { top: rect.top + window.scrollY, row, covered: covered(node) }
      setFrame((old) =>
        Math.abs(old.top - next.top) < 0.5 && old.row === next.row && old.covered === next.covered
          ? old
          : next,
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    // a banner that appears above moves the list without resizing it
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [box])

  const estimateSize = useCallback(
    (index: number) => (starts[index + 1] ?? 0) - (starts[index] ?? 0),
    [starts],
  )
  const getItemKey = useCallback((index: number) => entries[index]?.key ?? index, [entries])
  const virtual = useWindowVirtualizer({
    count: entries.length,
    estimateSize,
    getItemKey,
    // measured from the edge under which rows disappear, so that the range changes exactly when a header must stick
    scrollMargin: frame.top - frame.covered,
    overscan: OVERSCAN,
    scrollPaddingStart: HEADER,
    // the lower edge moves down with that, and the tab bar covers 56 px of it
    scrollPaddingEnd: frame.covered + 80,
    rangeExtractor: (range) => {
      let day = range.startIndex
      while (day > 0 && entries[day]?.kind !== 'day') day -= 1
      stuck.current = day
      // another set of records: first what is in sight, the rest when that stands
      const rows = lean
        ? { from: range.startIndex, to: range.endIndex }
        : ahead(drawn.current?.of === entries ? drawn.current.rows : null, range)
      drawn.current = { of: entries, rows }
      const wanted = new Set([day, active])
      for (let at = rows.from; at <= rows.to; at++) wanted.add(at)
      return [...wanted].filter((at) => at >= 0 && at < entries.length).sort((a, b) => a - b)
    },
  })
  // sizes come from `starts`, which the virtualizer cannot know has changed
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row height is what invalidates them
  useLayoutEffect(() => virtual.measure(), [row, virtual])

  // As of the last scroll event: asking the browser now, with rows just changed, would make it lay out the page on the spot.
  const scrolled = useCallback(() => virtual.scrollOffset ?? window.scrollY, [virtual])
  const away = useCallback(
    () => scrolled() + frame.covered > frame.top + HEADER + row / 2,
    [scrolled, frame, row],
  )
  useAnchor(entries, starts, filters, frame, away, scrolled)
  return { virtual, starts, stuck, away, setActive }
}

/** Scrolls by what has come in above the first visible row, in the same frame. */
function useAnchor(
  entries: readonly ListEntry[],
  starts: Float64Array,
  filters: string,
  frame: { top: number; covered: number },
  away: () => boolean,
  scrolled: () => number,
) {
  const before = useRef({ entries, starts, filters })
  useLayoutEffect(() => {
    const old = before.current
    before.current = { entries, starts, filters }
    if (old.entries === entries || !away()) return
    if (old.filters !== filters) {
      window.scrollTo({ top: Math.max(0, frame.top - frame.covered), behavior: 'instant' })
      return
    }
    let at = entryAt(old.starts, scrolled() + frame.covered + HEADER - frame.top)
    if (old.entries[at]?.kind === 'day') at += 1
    const key = old.entries[at]?.key
    const now = key === undefined ? -1 : entries.findIndex((entry) => entry.key === key)
    if (now < 0) return
    const moved = (starts[now] ?? 0) - (old.starts[at] ?? 0)
    if (moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' })
  }, [entries, starts, filters, frame, away, scrolled])
}

// From record to record by keys: j and k wherever the focus is, the arrows on a row; and the row of a record that was left.

type Window = Pick<ReturnType<typeof useWindow>, 'virtual' | 'setActive'>

/** Puts the focus on a record's row, also on one that is not drawn yet. */
export type Reach = (key: string) => void

/** `reach` is filled with the way to a row. The answer listens on the list itself. */
export function useTravel(
  box: RefObject<HTMLElement | null>,
  entries: readonly ListEntry[],
  { virtual, setActive }: Window,
  reach: RefObject<Reach | null>,
) {
  const wanted = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (wanted.current === null) return
    const link = box.current?.querySelector<HTMLElement>(
      `[data-key="${CSS.escape(wanted.current)}"] :is(a, button)`,
    )
    if (!link) return
    wanted.current = null
    link.focus({ preventScroll: true })
  })

  const to = (at: number) => {
    const entry = entries[at]
    if (!entry) return
    wanted.current = entry.key
    setActive(at)
    virtual.scrollToIndex(at, { align: 'auto' })
  }
  const step = (key: string, by: number) => {
    const at = entries.findIndex((entry) => entry.key === key) + by
    to(entries[at]?.kind === 'day' ? at + by : at)
  }
  const onKeyDown = (event: Pressed<HTMLElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const key = keyOf(event.target)
    if (!by || !key || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    step(key, by)
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    const by = letter(event)
    if (!by || taken(event)) return
    event.preventDefault()
    const key = keyOf(document.activeElement)
    if (key) step(key, by)
    else {
      // nobody stands in the list yet: it begins with the first record in sight
      const first = virtual.range?.startIndex ?? 0
      to(entries[first]?.kind === 'day' ? first + 1 : first)
    }
  })
  useLayoutEffect(() => {
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  useEffect(() => {
    reach.current = (key) => to(entries.findIndex((entry) => entry.key === key))
  })
  return onKeyDown
}

function keyOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-key]')?.dataset['key'] : undefined
}

/** 1 for the next record, −1 for the one before, nothing for any other key. */
export function letter({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): 1 | -1 | undefined {
  return shiftKey ? undefined : ({ j: 1, k: -1 } as const)[key.toLowerCase()]
}

// Which rows are drawn beyond the edges: several come at a time, because a batch every few rows costs less than one with every row.

/** Rows beyond each edge after a batch, and how few may be left there before the next one. */
export const [OVERSCAN, RESERVE] = [8, 4]

/** First and last row, both drawn. */
export interface Drawn {
  from: number
  to: number
}

/** What is drawn when `startIndex` to `endIndex` of `count` rows are in sight: as `before`, unless too little of it is left. */
export function ahead(
  before: Drawn | null,
  { startIndex, endIndex, count }: { startIndex: number; endIndex: number; count: number },
): Drawn {
  if (
    before &&
    before.from <= Math.max(0, startIndex - RESERVE) &&
    before.to < count &&
    before.to >= Math.min(count - 1, endIndex + RESERVE)
  )
    return before
  return { from: Math.max(0, startIndex - OVERSCAN), to: Math.min(count - 1, endIndex + OVERSCAN) }
}

// What of the list was read.

export interface Reading {
  unread: (signal_id: string) => boolean
  /** The newest record that had been read when one came; null: nothing has come since, or it is not known. */
  left: string | null
  /** How many came since and are unread. */
  news: number
}

/** So long in view is looked at. */
const LOOK_MS = 1_000

/** Tells of every unread row of `box` that stood in view for a second. */
function useLooks(box: RefObject<HTMLElement | null>): void {
  const watch = useRef<IntersectionObserver | null>(null)
  useEffect(() => {
    const since = new Map<string, number>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      timer = undefined
      const now = performance.now()
      const seen = document.visibilityState === 'visible'
      for (const [id, at] of since) {
        if (!seen) since.set(id, now)
        else if (now - at >= LOOK_MS - 20) {
          since.delete(id)
          looked(id)
        }
      }
      if (since.size > 0) timer = setTimeout(look, LOOK_MS / 4)
    }
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const id = (target as HTMLElement).dataset['key'] ?? ''
          if (!isIntersecting) since.delete(id)
          else if ((target as HTMLElement).dataset['unread'] !== undefined) since.set(id, performance.now())
        }
        if (since.size > 0) timer ??= setTimeout(look, LOOK_MS)
      },
      // most of a row, under the bar and the filters and over the tabs of a phone
      { threshold: 0.6, rootMargin: '-124px 0px -56px 0px' },
    )
    watch.current = observer
    return () => {
      observer.disconnect()
      clearTimeout(timer)
      watch.current = null
    }
  }, [])
  // after every drawing: rows come and go with scrolling, and one that is observed already stays as it is
  useEffect(() => {
    for (const row of box.current?.querySelectorAll('[data-unread]') ?? []) watch.current?.observe(row)
  })
}
