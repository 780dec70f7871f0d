// How long a source has said nothing, counted in the minutes in which its market was open, and how long it usually says nothing.
import {
  addDays,
  boundsOf,
  contractEnd,
  instantOf,
  isTradingDay,
  type MarketHours,
  taipei,
  weekdayOf,
} from './calendar.ts'
import { assetOf } from './kinds.ts'
import { findProduct } from './products.ts'
import type { ContractRule, StrategyKind, Unit } from './record.ts'

const MINUTE = 60_000

/** Nobody is told of a shorter silence that was not asked for by its minutes. */
export const LEARNED_LEAST = 30
/** Records that are looked back at; before there are so many gaps nothing is learned. */
export const LEARNED_FROM = 400
export const GAPS_LEAST = 20
/** What comes within a minute is one going-off of several products. */
const TOGETHER_MS = MINUTE

/** What of a strategy says when its market is open. */
interface ForHours {
  readonly kind: StrategyKind
  readonly settings: {
    readonly product_code?: string
    readonly session?: 'day' | 'day_night'
    readonly contract_rule?: ContractRule
    readonly contract_month?: string | null
    /** Of every kind; nothing here depends on it. */
    readonly unit?: Unit
  }
}

/** The hours in which a strategy's source may speak: its market's, by night only where it trades by night. */
export function hoursOf({ kind, settings }: ForHours, closed_days: ReadonlySet<string>): MarketHours {
  if (assetOf({ kind }) === 'stock') return { market: 'stock', has_night: false, closed_days }
  const product = findProduct(settings.product_code ?? '')
  return {
    market: 'futures',
    has_night: settings.session !== 'day' && product?.has_night === true,
    sessions: product?.sessions,
    closed_days,
    contract: settings.contract_rule === 'month' ? (settings.contract_month ?? null) : null,
  }
}

/** Milliseconds in which the market was open from one instant to another (ms since 1970); 0 where the second is not later. */
export function openMs(from: number, to: number, hours: MarketHours): number {
  const closed = hours.closed_days ?? new Set()
  const end = contractEnd(hours.contract ?? null, closed)
  const until = end === null ? to : Math.min(to, Date.parse(end))
  if (!(until > from)) return 0
  const [day_from, day_to, dusk, dawn] = boundsOf(hours).seconds
  const has_night = hours.market !== 'stock' && hours.has_night
  const within = (start: number, stop: number) => Math.max(0, Math.min(until, stop) - Math.max(from, start))
  let open = 0
  // A night began the day before.
  for (let day = addDays(dayOf(from), -1), last = dayOf(until); day <= last; day = addDays(day, 1)) {
    if (!isTradingDay(day, closed)) continue
    const midnight = Date.parse(instantOf(day, '00:00'))
    const at = (second: number) => midnight + second * 1000
    open += within(at(day_from), at(day_to))
    if (has_night) open += within(at(dusk), at(DAY_S + dawn))
  }
  return open
}
const DAY_S = 86_400

function dayOf(ms: number): string {
  return taipei(new Date(ms).toISOString()).date
}

/**
 * After how many open minutes it is unusual that nothing came: half as much again as the gap that 99 of 100 of its own stay within,
 * never less than half an hour. `received` are the instants of its newest records, oldest first; null while they are too few.
 */
export function usualMinutes(received: readonly number[], hours: MarketHours): number | null {
  const gaps = received
    .slice(1)
    .map((at, i) => ({ ms: at - (received[i] as number), open: openMs(received[i] as number, at, hours) }))
    .filter(({ ms }) => ms >= TOGETHER_MS)
    .map(({ open }) => open)
    .sort((a, b) => a - b)
  if (gaps.length < GAPS_LEAST) return null
  const longest = gaps[Math.ceil(gaps.length * 0.99) - 1] as number
  return Math.max(LEARNED_LEAST, Math.ceil((longest * 1.5) / MINUTE))
}

// Quiet hours (勿擾時段): from–to in Asia/Taipei, over midnight too; the days are those on which a quiet time begins.
export interface QuietHours {
  readonly enabled: boolean
  /** `HH:mm`. */
  readonly from: string
  readonly to: string
  /** 1 = Monday … 7 = Sunday. */
  readonly days: readonly number[]
}

/**
 * Until when it is quiet at an instant: the ISO instant at which the quiet time ends, null when it is not quiet. The end itself
 * is not quiet. The same time twice (`from` = `to`) is a whole day; seven whole days have no end, and then it is that of one.
 */
export function quietUntil(hours: QuietHours, at: string): string | null {
  const first = hours.enabled ? endOf(hours, at) : null
  // One that begins as another ends goes on: Saturday and Sunday as whole days end on Monday.
  let end = first
  for (let more = 0; more < DAYS && end !== null; more++) {
    const next = endOf(hours, end)
    if (next === null) return end
    end = next
  }
  // It never ends: once a day, where one quiet time ends and the next begins.
  return first
}
const DAYS = 7

/** The end of the quiet time that holds at an instant. */
function endOf(hours: QuietHours, at: string): string | null {
  const { date } = taipei(at)
  let until: string | null = null
  // A quiet time begins today or began yesterday; when both hold, the one that ends later.
  for (const day of [addDays(date, -1), date]) {
    if (!hours.days.includes(isoWeekday(day))) continue
    const over = hours.to <= hours.from
    const [start, end] = [instantOf(day, hours.from), instantOf(over ? addDays(day, 1) : day, hours.to)]
    if (start <= at && at < end && (until === null || end > until)) until = end
  }
  return until
}

/** 1 = Monday … 7 = Sunday. */
function isoWeekday(day: string): number {
  return ((weekdayOf(day) + 6) % 7) + 1
}
