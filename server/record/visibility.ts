// What of the records that a member reads tells of its strategy before the member's first day, and is kept from it (docs/decisions/access.md).
import type { SignalRecord } from '#contract/signal.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { ASSET_FACTS } from '#trading/kinds.ts'
import { type Facts, NO_EFFECT, type Trade } from '#trading/record.ts'
import { mayEdit, seesRecord, startOf } from '../access/strategies.ts'
import type { AccessMap, Actor, App } from '../context.ts'
import type { Db, StoredRecord } from '../db/schema.ts'
import { closedDays } from './calendar.ts'
import { presentSignal } from './records.ts'

/** Who reads: `access` null sees everything, `shares` the figures of the whole record (ruling A11). */
export interface RecordReader {
  readonly uid: string
  readonly access: AccessMap | null
  readonly shares: boolean
}
export type VisibilityApp = Pick<App, 'background' | 'config' | 'db' | 'fold_cache' | 'log'>
type Pointed = Pick<Facts, 'id' | 'strategy_id' | 'refers_to'>
export type Redact = (record: SignalRecord) => SignalRecord

export function readerOf({
  caller,
  access,
  membership,
}: Pick<Actor, 'caller' | 'access' | 'membership'>): RecordReader {
  return { uid: caller, access, shares: membership?.shares === true }
}

/** Rows this actor may see, as it is shown them. */
export async function showSignals(
  app: VisibilityApp,
  db: Db,
  actor: Actor,
  rows: readonly StoredRecord[],
): Promise<SignalRecord[]> {
  const edit = mayEdit(actor)
  const records = rows.map((row) => presentSignal(row, { edit }))
  return records.map(await redactFor(app, db, readerOf(actor), records))
}

/** What to lay over each of these records before this reader is shown it. */
export async function redactFor(
  app: VisibilityApp,
  db: Db,
  reader: RecordReader,
  records: readonly SignalRecord[],
): Promise<Redact> {
  const { access } = reader
  if (access === null) return (record) => record
  const redacted = await redactedPointers(db, access, records)
  const closed = reader.shares ? new Set<string>() : await closingOlder(app, db, access, reader.uid, records)
  return (record) =>
    redacted.has(record.id)
      ? veiled(record)
      : closed.has(record.id)
        ? { ...record, derived: { ...record.derived, realised_pnl: null } }
        : record
}

/** Whether `redactFor` could lay anything over this record. */
export function mayBeRedacted({ access, shares }: Omit<RecordReader, 'uid'>, record: SignalRecord): boolean {
  return access !== null && (isPointer(record) || (!shares && record.derived.realised_pnl !== null))
}

/** Those of these records that void or correct one the reader may not know of. */
export async function redactedPointers(
  db: Db,
  access: AccessMap,
  records: readonly Pointed[],
): Promise<Set<string>> {
  const pointers = records.filter(({ refers_to }) => refers_to !== null)
  if (pointers.length === 0) return new Set()
  const targets = await db
    .selectFrom('signals')
    .select(['id', 'occurred_at'])
    .where('id', 'in', [...new Set(pointers.map(({ refers_to }) => refers_to as string))])
    .execute()
  const at = new Map(targets.map(({ id, occurred_at }) => [id, occurred_at]))
  // One that is not there any more was seen by nobody for certain.
  const redacted = pointers.filter(
    ({ strategy_id, refers_to }) => !seesRecord(access, strategy_id, at.get(refers_to ?? '') ?? ''),
  )
  return new Set(redacted.map(({ id }) => id))
}

/** The records that closed something which was entered before the reader's first day: their P&L tells the price of that entry. */
async function closingOlder(
  app: VisibilityApp,
  db: Db,
  access: AccessMap,
  uid: string,
  records: readonly SignalRecord[],
): Promise<Set<string>> {
  const closing = records.filter(({ derived }) => derived.realised_pnl !== null)
  const ids = [...new Set(closing.map(({ strategy_id }) => strategy_id))]
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('strategies').selectAll().where('id', 'in', ids).execute()
  const found = new Set<string>()
  for (const row of rows) {
    const visible_from = access.get(row.id)?.visible_from
    if (visible_from === undefined) continue
    const { trades } = await app.fold_cache.trades(app, db, row, closedDays(app), uid)
    for (const id of exitsOfOlder(trades, startOf(visible_from))) found.add(id)
  }
  return found
}

/** By book (a book's trades never change) and by the first day's first instant. */
const exits = new WeakMap<readonly Trade[], Map<string, Set<string>>>()

function exitsOfOlder(trades: readonly Trade[], start: string): Set<string> {
  const known = exits.get(trades) ?? new Map<string, Set<string>>()
  exits.set(trades, known)
  const found = known.get(start) ?? new Set<string>()
  if (known.has(start)) return found
  known.set(start, found)
  for (let i = trades.length - 1; i >= 0; i--) {
    const { exit_at, entry_at, exit_signal_id } = trades[i] as Trade
    if (exit_at < start) break
    if (entry_at < start) found.add(exit_signal_id)
  }
  return found
}

/** The same for whatever it points at: that something earlier was voided or corrected, when, and its link in the chain. */
function veiled(record: SignalRecord): SignalRecord {
  const { id, strategy_id, chain_seq, source, asset, occurred_at, received_at } = record
  const { seq, prev_hash, hash, trading_date, session, quiet } = record
  return {
    ...{ id, strategy_id, chain_seq, source, asset, occurred_at, received_at },
    ...{ seq, prev_hash, hash, trading_date, session, quiet },
    refers_to: null,
    external_id: null,
    symbol_raw: null,
    symbol: '',
    symbol_name: '',
    contract: null,
    action: 'target',
    quantity: null,
    unit: ASSET_FACTS[asset].unit,
    target_position: null,
    reported_prev: null,
    price: null,
    timeframe: null,
    note: null,
    reason: null,
    body_sha256: null,
    created_by: null,
    webhook_id: null,
    delivery_id: null,
    flags: [],
    derived: { ...NO_EFFECT, none_reason: record.derived.none_reason },
  }
}
