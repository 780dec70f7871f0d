// 累計 in the message of an exit (domain §7.7): what the strategy's closed trades had made with it, said only where it is known to
// the last digit, and to a member of its own days only (docs/decisions/094).
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

interface Exit {
  readonly chain_seq: number
  readonly occurred_at: string
  readonly in_order: boolean
  readonly net: Scaled
}
/** The sum of a strategy after each of its newest records. */
interface Sums {
  readonly from: number
  readonly head: number
  readonly at: ReadonlyMap<number, { readonly realised_pnl: number | null; readonly sum: Scaled }>
  exits: Promise<readonly Exit[]> | null
}

/** For one transaction, or one look: each strategy is asked for once, from the first of its records that is asked about. */
export function totals(db: Db): TotalOf {
  const known = new Map<string, { readonly from: number; readonly sums: Promise<Sums | null> }>()
  const sumsOf = ({ strategy_id, chain_seq }: SignalRecord) => {
    const found = known.get(strategy_id)
    if (found !== undefined && found.from <= chain_seq) return found.sums
    const sums = readSums(db, strategy_id, chain_seq)
    known.set(strategy_id, { from: chain_seq, sums })
    return sums
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
    sums.exits ??= readExits(db, record.strategy_id, sums.head)
    return ownTotal(await sums.exits, record.chain_seq, here.sum, day)
  }
}

/**
 * The fold's own sum, and from it back what each record after `from` added. Null while it is not certain: the fold is of other terms, owed
 * or not up to the newest record, a closed piece lacks a price, or a record came that may have changed what stood before it.
 */
async function readSums(db: Db, strategy_id: string, from: number): Promise<Sums | null> {
  const field = (name: string) =>
    isPostgres(db)
      ? sql`folds.state::json ->> ${sql.lit(name)}`
      : sql`json_extract(folds.state, ${sql.lit(`$.${name}`)})`
  const { rows } = await sql<{
    head: number
    realised: string
    excluded: number | string
    chain_seq: number
    source: string
    flags: string
    realised_pnl: number | null
  }>`
    with stood as materialized (
      select folds.chain_seq as head, ${field('realised')} as realised, ${field('excluded_count')} as excluded
      from strategies join strategy_folds as folds on folds.strategy_id = strategies.id
      left join owed_folds as owed on owed.strategy_id = strategies.id
      where strategies.id = ${strategy_id} and owed.strategy_id is null
        and folds.version = strategies.version and folds.chain_seq = strategies.chain_seq)
    select stood.head, stood.realised, stood.excluded, signals.chain_seq, source, flags, realised_pnl
    from stood, signals
    where signals.strategy_id = ${strategy_id} and signals.chain_seq >= ${from}
    order by signals.chain_seq desc limit ${LATER_MOST}`.execute(db)
  const [newest] = rows
  if (newest === undefined || newest.chain_seq !== newest.head || Number(newest.excluded) > 0) return null
  const at = new Map<number, { realised_pnl: number | null; sum: Scaled }>()
  let sum = scaled(newest.realised)
  for (const { chain_seq, source, flags, realised_pnl } of rows) {
    at.set(chain_seq, { realised_pnl, sum })
    if (source === 'void' || source === 'correction' || isOutOfOrder(flags)) break
    sum -= scaled(realised_pnl ?? 0)
  }
  return { from, head: newest.head, at, exits: null }
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
