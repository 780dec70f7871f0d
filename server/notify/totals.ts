// 累計 in the message of an exit (domain §7.7): what the strategy's closed trades had made with it, said only where it is known to
// the last digit, and to a member of its own days only (docs/decisions/notifications.md).
import { sql } from 'kysely'
import type { SignalRecord } from '#contract/signal.ts'
import { type Scaled, scaled, toNumber } from '#trading/decimal.ts'
import { isPointer } from '#trading/fold/sequence.ts'
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
/** Of a strategy so many stay known behind what is planned: who sends asks once more. */
export const LOOKED_BACK = 8
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
 * from one to the next of the same planner; `came`: records that have just come, which need not be read again.
 */
export function totals(
  db: Db,
  kept = new KeptSums(),
  came: ReadonlyMap<string, readonly SignalRecord[]> = new Map(),
): TotalOf {
  const asked = new Map<string, { readonly from: number; readonly sums: Promise<Sums | null> }>()
  const exits = new Map<string, Promise<readonly Exit[]>>()
  let together: Promise<ReadonlyMap<string, Stood>> | undefined
  const stoodOf = async (strategy_id: string) => {
    if (!came.has(strategy_id)) return (await readStood(db, [strategy_id])).get(strategy_id)
    together ??= readStood(db, [...came.keys()])
    return (await together).get(strategy_id)
  }
  const sumsOf = ({ strategy_id, chain_seq }: SignalRecord) => {
    const found = asked.get(strategy_id)
    if (found !== undefined && found.from <= chain_seq) return found.sums
    const sums = stoodOf(strategy_id).then((stood) =>
      stood ? sumsFrom(db, kept, stood, chain_seq, came.get(strategy_id) ?? []) : null,
    )
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
async function sumsFrom(
  db: Db,
  kept: KeptSums,
  stood: Stood,
  from: number,
  came: readonly SignalRecord[],
): Promise<Sums | null> {
  const before = kept.take(stood.strategy_id)
  const goes_on = before !== undefined && before.of === stood.of && (from >= before.low || before.ends)
  const sums =
    (goes_on && (carriedOn(before, stood, came) ?? (await readSums(db, stood, before.head, before)))) ||
    (await readSums(db, stood, from))
  if (sums !== null) kept.put(stood.strategy_id, without(sums, from - LOOKED_BACK))
  return sums
}

/** Records before this one are planned: where somebody asks about them all the same, they are read anew. */
function without(sums: Sums, low: number): Sums {
  if (low <= sums.low) return sums
  for (let chain_seq = sums.low; chain_seq < low; chain_seq++) sums.at.delete(chain_seq)
  return { ...sums, low, ends: false }
}

/** The fold's own sum after its newest record. */
interface Stood {
  readonly strategy_id: string
  readonly of: string
  readonly head: number
  readonly realised: Scaled
}

/** Of these strategies those whose sum is certain: the fold is of their terms, up to the newest record, nothing is owed, no price lacks. */
async function readStood(db: Db, strategy_ids: readonly string[]): Promise<ReadonlyMap<string, Stood>> {
  const field = (name: string) =>
    isPostgres(db)
      ? sql`folds.state::json ->> ${sql.lit(name)}`
      : sql`json_extract(folds.state, ${sql.lit(`$.${name}`)})`
  const { rows } = await sql<{
    strategy_id: string
    head: number
    version: number
    key: string
    realised: string
    excluded: number | string
  }>`
    select folds.strategy_id, folds.chain_seq as head, folds.version, folds.key,
      ${field('realised')} as realised, ${field('excluded_count')} as excluded
    from strategies join snapshots as folds on folds.strategy_id = strategies.id and folds.kind = 'head'
    left join jobs as owed on owed.kind = 'refold' and owed.key = strategies.id
    where strategies.id in (${sql.join(strategy_ids)}) and owed.id is null
      and folds.version = strategies.version and folds.chain_seq = strategies.chain_seq`.execute(db)
  return new Map(
    rows
      .filter(({ excluded }) => Number(excluded) === 0)
      .map(({ strategy_id, version, key, head, realised }) => [
        strategy_id,
        { strategy_id, of: `${version} ${key}`, head: Number(head), realised: scaled(realised) },
      ]),
  )
}

/** With the records that came since, where they are all there; null where one is missing, or may have changed what stood before it. */
function carriedOn(before: Sums, stood: Stood, came: readonly SignalRecord[]): Sums | null {
  const newer = came.filter(({ chain_seq }) => chain_seq > before.head && chain_seq <= stood.head)
  if (newer.length !== stood.head - before.head) return null
  if (newer.some((record) => isPointer(record) || record.flags.includes('out_of_order'))) return null
  let sum = stood.realised
  const at: [number, { realised_pnl: number | null; sum: Scaled }][] = []
  for (const { chain_seq, derived } of newer.toReversed()) {
    at.push([chain_seq, { realised_pnl: derived.realised_pnl, sum }])
    sum -= scaled(derived.realised_pnl ?? 0)
  }
  if (before.at.get(before.head)?.sum !== sum) return null
  for (const [chain_seq, here] of at) before.at.set(chain_seq, here)
  return { ...before, head: stood.head }
}

/**
 * From the newest record back what each one from `from` on added. Null where a record came since that may have changed what stood
 * before it. `before`: known up to `from` already; null when that is not what leads there.
 */
async function readSums(db: Db, { strategy_id, of, head, realised }: Stood, from: number, before?: Sums) {
  const rows = await db
    .selectFrom('signals')
    .select(['chain_seq', 'source', 'flags', 'realised_pnl'])
    .where('strategy_id', '=', strategy_id)
    .where('chain_seq', '>=', from)
    .orderBy('chain_seq', 'desc')
    .limit(LATER_MOST)
    .execute()
  if (rows[0]?.chain_seq !== head) return null
  const at: Sums['at'] = new Map()
  let sum = realised
  let [low, ends] = [head, false]
  for (const { chain_seq, source, flags, realised_pnl } of rows) {
    if (chain_seq === before?.head) {
      const there = before.at.get(chain_seq)
      if (there?.sum !== sum || there.realised_pnl !== realised_pnl) return null
      for (const [newer, known] of at) before.at.set(newer, known)
      return { ...before, head }
    }
    at.set(chain_seq, { realised_pnl, sum })
    low = chain_seq
    ends = source === 'void' || source === 'correction' || isOutOfOrder(flags)
    if (ends) break
    sum -= scaled(realised_pnl ?? 0)
  }
  return { of, head, low, ends: ends || rows.length === LATER_MOST, at }
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
