// 累計 in the message of an exit (domain §7.7): what the strategy's closed trades had made with it, said only where it is known to
// the last digit, and to a member of its own days only (docs/decisions/notifications.md).
import { sql } from 'kysely'
import type { SignalRecord } from '#contract/signal.ts'
import { type Scaled, scaled, toNumber } from '#trading/decimal.ts'
import { startOf } from '../access/strategies.ts'
import { isPostgres } from '../db/bulk.ts'
import type { Db } from '../db/schema.ts'
import type { Recipient } from './audience.ts'

export interface Total {
  readonly net: number
  /** The day from which on it is counted; null = from the first record. */
  readonly since: string | null
}

/** What is said with this record to this reader; null where nothing is: not an exit, not theirs to know, not certain. */
export type TotalOf = (
  record: SignalRecord,
  reader: Pick<Recipient, 'access' | 'shares'>,
) => Promise<Total | null>

/** Records after an exit that are looked at to know the sum at its own place. */
const LATER_MOST = 512
/** Exits that are summed up for those who may not know what lies before their first day. */
const OWN_MOST = 1_000
/** Sums that a planner keeps, of all strategies together: about 12 MB. */
const KEPT_MOST = 100_000

interface Exit {
  readonly chain_seq: number
  readonly occurred_at: string
  readonly in_order: boolean
  readonly net: Scaled
}
/** What a strategy had made after each of its newest records. */
interface Sums {
  /** Terms and calendar of the fold that says so. */
  readonly of: string
  /** The newest record, which the fold ends with. */
  readonly head: number
  /** The oldest one of which the sum is known. */
  readonly low: number
  /** Nothing is certain before it: more records than are looked at, or one that may have changed what stood before. */
  readonly ends: boolean
  readonly at: Map<number, { readonly realised_pnl: number | null; readonly sum: Scaled }>
}

/** Sums that outlive a plan, by strategy: whoever plans what comes next reads only the records that came since. */
export class KeptSums {
  readonly #of = new Map<string, Sums>()
  #count = 0

  /** They are out until they are put back. */
  take(strategy_id: string): Sums | undefined {
    const sums = this.#of.get(strategy_id)
    this.#of.delete(strategy_id)
    this.#count -= sums?.at.size ?? 0
    return sums
  }

  /** Those that were asked about longest ago make room. */
  put(strategy_id: string, sums: Sums): void {
    this.#of.set(strategy_id, sums)
    this.#count += sums.at.size
    for (const [oldest] of this.#of) {
      if (this.#count <= KEPT_MOST) return
      this.take(oldest)
    }
  }
}

/**
 * For one transaction, or one look: each strategy is asked for once, from the first of its records that is asked about. `kept` goes
 * from one to the next of the same planner.
 */
export function totals(db: Db, kept = new KeptSums()): TotalOf {
  const asked = new Map<string, { readonly from: number; readonly sums: Promise<Sums | null> }>()
  const exits = new Map<string, Promise<readonly Exit[]>>()
  const sumsOf = ({ strategy_id, chain_seq }: SignalRecord) => {
    const found = asked.get(strategy_id)
    if (found !== undefined && found.from <= chain_seq) return found.sums
    const sums = sumsFrom(db, kept, strategy_id, chain_seq)
    asked.set(strategy_id, { from: chain_seq, sums })
    return sums
  }
  const exitsOf = (strategy_id: string, head: number) => {
    const found = exits.get(strategy_id) ?? readExits(db, strategy_id, head)
    exits.set(strategy_id, found)
    return found
  }
  return async (record, { access, shares }) => {
    const { realised_pnl } = record.derived
    if (realised_pnl === null || record.flags.includes('out_of_order')) return null
    // Ruling A11: without sharing, what was made is not a member's to know.
    if (access !== null && !shares) return null
    const sums = await sumsOf(record)
    const here = sums?.at.get(record.chain_seq)
    // What the record says of itself may be older than the sums.
    if (sums === null || here === undefined || here.realised_pnl !== realised_pnl) return null
    if (access === null) return { net: toNumber(here.sum), since: null }
    const day = access.get(record.strategy_id)?.visible_from
    if (day === undefined) return null
    return ownTotal(await exitsOf(record.strategy_id, sums.head), record.chain_seq, here.sum, day)
  }
}

/** What is kept, carried on to the newest record, where it still fits to the last digit; else read anew. */
async function sumsFrom(db: Db, kept: KeptSums, strategy_id: string, from: number): Promise<Sums | null> {
  const before = kept.take(strategy_id)
  const goes_on = before !== undefined && (from >= before.low || before.ends)
  const sums =
    (goes_on && (await readSums(db, strategy_id, before.head, before))) ||
    (await readSums(db, strategy_id, from))
  if (sums !== null) kept.put(strategy_id, from > sums.low ? without(sums, from) : sums)
  return sums
}

/** Records before this one are planned: where somebody asks about them all the same, they are read anew. */
function without(sums: Sums, low: number): Sums {
  for (let chain_seq = sums.low; chain_seq < low; chain_seq++) sums.at.delete(chain_seq)
  return { ...sums, low, ends: false }
}

/**
 * The fold's own sum, and from it back what each record from `from` on added. Null while it is not certain: the fold is of other terms,
 * owed or not up to the newest record, a closed piece lacks a price, or a record came that may have changed what stood before it.
 * `before`: known up to `from` already; null when that is not what leads there.
 */
async function readSums(db: Db, strategy_id: string, from: number, before?: Sums): Promise<Sums | null> {
  const field = (name: string) =>
    isPostgres(db)
      ? sql`folds.state::json ->> ${sql.lit(name)}`
      : sql`json_extract(folds.state, ${sql.lit(`$.${name}`)})`
  const { rows } = await sql<{
    head: number
    version: number
    calendar: string
    realised: string
    excluded: number | string
    chain_seq: number
    source: string
    flags: string
    realised_pnl: number | null
  }>`
    with stood as materialized (
      select folds.chain_seq as head, folds.version, folds.calendar,
        ${field('realised')} as realised, ${field('excluded_count')} as excluded
      from strategies join strategy_folds as folds on folds.strategy_id = strategies.id
      left join jobs as owed on owed.kind = 'refold' and owed.key = strategies.id
      where strategies.id = ${strategy_id} and owed.id is null
        and folds.version = strategies.version and folds.chain_seq = strategies.chain_seq)
    select stood.*, signals.chain_seq, source, flags, realised_pnl
    from stood, signals
    where signals.strategy_id = ${strategy_id} and signals.chain_seq >= ${from}
    order by signals.chain_seq desc limit ${LATER_MOST}`.execute(db)
  const [newest] = rows
  if (newest === undefined || newest.chain_seq !== newest.head || Number(newest.excluded) > 0) return null
  const of = `${newest.version} ${newest.calendar}`
  if (before !== undefined && before.of !== of) return null
  const at: Sums['at'] = new Map()
  let sum = scaled(newest.realised)
  let [low, ends] = [newest.head, false]
  for (const { chain_seq, source, flags, realised_pnl } of rows) {
    if (chain_seq === before?.head) {
      const there = before.at.get(chain_seq)
      if (there?.sum !== sum || there.realised_pnl !== realised_pnl) return null
      for (const [newer, known] of at) before.at.set(newer, known)
      return { ...before, head: newest.head }
    }
    at.set(chain_seq, { realised_pnl, sum })
    low = chain_seq
    ends = source === 'void' || source === 'correction' || isOutOfOrder(flags)
    if (ends) break
    sum -= scaled(realised_pnl ?? 0)
  }
  return { of, head: newest.head, low, ends: ends || rows.length === LATER_MOST, at }
}

/** The newest exits, the newest first; one more than are summed up where there are more. */
async function readExits(db: Db, strategy_id: string, head: number): Promise<Exit[]> {
  const rows = await db
    .selectFrom('signals')
    .select(['chain_seq', 'occurred_at', 'flags', 'realised_pnl'])
    .where('strategy_id', '=', strategy_id)
    .where('chain_seq', '<=', head)
    .where('realised_pnl', 'is not', null)
    .orderBy('chain_seq', 'desc')
    .limit(OWN_MOST + 1)
    .execute()
  return rows.map(({ chain_seq, occurred_at, flags, realised_pnl }) => ({
    ...{ chain_seq, occurred_at, in_order: !isOutOfOrder(flags), net: scaled(realised_pnl ?? 0) },
  }))
}

/** The sum of the exits from a day on; of the whole record where none lies before it. */
function ownTotal(exits: readonly Exit[], chain_seq: number, whole: Scaled, day: string): Total | null {
  const start = startOf(day)
  let [own, all] = [0n, exits.length <= OWN_MOST]
  let since: string | null = null
  for (const exit of exits) {
    if (exit.occurred_at < start) since = day
    else if (exit.chain_seq <= chain_seq) own += exit.net
    // In order, and before the day: so is everything before it.
    if (since !== null && exit.in_order && exit.occurred_at < start) {
      all = true
      break
    }
  }
  if (!all) return null
  return since === null ? { net: toNumber(whole), since } : { net: toNumber(own), since }
}

function isOutOfOrder(flags: string): boolean {
  return (JSON.parse(flags) as string[]).includes('out_of_order')
}
