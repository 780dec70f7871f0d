// Appends the records of a batch: chains them, folds them on, numbers them in their scope, stores them and tells the world.

import type { EventData, Scope } from '#contract/events.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import type { OpenKey } from '#trading/fold/state.ts'
import { fold } from '#trading/fold.ts'
import { assetOf } from '#trading/kinds.ts'
import type { ReadSignal } from '#trading/reader/shape.ts'
import { type DerivedWithFlags, type Facts, type Flag, NO_EFFECT } from '#trading/record.ts'
import { tables } from '#trading/tables.ts'
import type { App, Tx } from '../context.ts'
import { bulkInsert, bulkUpdate, type ColumnType } from '../db/bulk.ts'
import type { Db, DeliveryRow, SignalRow, StoredRecord, StrategyRow } from '../db/schema.ts'
import { NO_MESSAGE } from '../usage/messages.ts'
import { calendarKey, closedDays } from './calendar.ts'
import { addToDays } from './daily-sums.ts'
import { type Linked, link, marketPlace, type StoredHead, webhookFacts } from './facts.ts'
import { BOUNDS, type FoldSession } from './fold-session.ts'
import { FOLD_AT_ONCE } from './refold.ts'
import { findHeads } from './snapshots.ts'
import { loadTerms } from './terms.ts'
import { byScope, UnitOfWork } from './unit-of-work.ts'

// A stored record as it travels: the hashed facts as they are, its place, and what folding says today.

/** A row as a SignalRecord; which delivery it came from is for those who may edit (wire §6). */
export function presentSignal(row: StoredRecord, { edit }: { edit: boolean }): SignalRecord {
  return {
    ...(JSON.parse(row.facts) as SignalRecord),
    seq: row.seq,
    prev_hash: row.prev_hash,
    hash: row.hash,
    webhook_id: row.webhook_id,
    delivery_id: edit ? row.delivery_id : null,
    symbol_name: row.symbol_name,
    trading_date: row.trading_date,
    session: row.session as SignalRecord['session'],
    quiet: row.quiet === 1,
    flags: JSON.parse(row.flags) as SignalRecord['flags'],
    derived: JSON.parse(row.derived) as SignalRecord['derived'],
  }
}

// The positions a strategy holds after its last record.

/** As memory or the stored state has them, while they stand there (of a long record also until it is folded anew); else folded. */
export async function openPositions(
  app: App,
  db: Db,
  row: StrategyRow,
  closed: ReadonlySet<string>,
): Promise<readonly OpenKey[]> {
  const known = app.fold_cache.peek(row, closed)
  if (known?.chain_hash === row.chain_hash) return known.state.open
  const table = tables()
  const found = (await findHeads(db, [row], calendarKey(closed, table), BOUNDS.state_every)).get(row.id)
  if (found && (found.exact || row.chain_seq > FOLD_AT_ONCE)) return found.state.open
  const stored = await db.selectFrom('signals').select('facts').where('strategy_id', '=', row.id).execute()
  const facts = stored.map((signal) => JSON.parse(signal.facts) as Facts)
  return fold(facts, loadTerms(row, closed, table)).state.open
}

/** What passed all gates and becomes a record: a signal, or a void or correction that points at one. */
export interface RecordDraft {
  facts: Omit<Facts, 'chain_seq'>
  /** Flags known before folding. */
  flags: Flag[]
  row: StrategyRow
  webhook_id: string | null
  delivery_id: string | null
  /** Alarms nobody. */
  quiet?: boolean
  /** The file that brings or voids it: it is told, shown and folded with all others of that file (docs/decisions/stock-strategies.md). */
  import_id?: string
  /** What brought it, where it stands in the same row (`isPlain`). */
  message?: { row: DeliveryRow; told: EventData['delivery'] }
}

/** The draft of a signal that came by webhook. */
export function webhookDraft(of: {
  id: string
  signal: ReadSignal
  flags: Flag[]
  row: StrategyRow
  delivery: DeliveryRow
}): RecordDraft {
  const { id, row, flags } = of
  const asset = assetOf(row)
  const { received_at, body_sha256, strategy_id, webhook_id } = of.delivery
  const facts = webhookFacts(of.signal, { id, strategy_id, asset, received_at, body_sha256 })
  const paused: Flag[] = row.status === 'paused' ? ['paused'] : []
  return { facts, flags: [...flags, ...paused], row, webhook_id, delivery_id: of.delivery.id }
}

const SIGNALS = bulkInsert('signals', {
  id: 'text',
  strategy_id: 'text',
  scope: 'text',
  seq: 'bigint',
  chain_seq: 'integer',
  prev_hash: 'text',
  hash: 'text',
  facts: 'text',
  source: 'text',
  refers_to: 'text',
  symbol: 'text',
  action: 'text',
  effect: 'text',
  webhook_id: 'text',
  delivery_id: 'text',
  symbol_name: 'text',
  trading_date: 'text',
  session: 'text',
  flags: 'text',
  derived: 'text',
  realised_pnl: 'double precision',
  occurred_at: 'text',
  received_at: 'text',
  stored_at: 'text',
  quiet: 'integer',
  import_id: 'text',
  event_count: 'integer',
  source_ip: 'text',
  content_type: 'text',
  size: 'integer',
  body_encoding: 'text',
  dedupe_key: 'text',
  outcome: 'text',
  format_id: 'text',
  duration_ms: 'double precision',
  ruled_quantity: 'integer',
  reason: 'text',
  normal: 'text',
  body: 'text',
} satisfies Record<keyof SignalRow, ColumnType>)

/** Whether a delivery says nothing that its record's row has no room for: then it is no row of its own. */
export function isPlain(row: DeliveryRow): boolean {
  return (
    (row.outcome === 'accepted' || row.outcome === 'late') &&
    row.http_status === 200 &&
    row.reason_code === null &&
    row.field === null &&
    row.duplicate_of === null &&
    row.replayed_at === null &&
    row.test === 0 &&
    row.body_cut === 0
  )
}

/** The columns of a record alone. */
export const RECORD_COLUMNS = [
  ...(['id', 'strategy_id', 'scope', 'seq', 'chain_seq', 'prev_hash', 'hash', 'facts', 'source'] as const),
  ...(['refers_to', 'symbol', 'action', 'effect', 'webhook_id', 'delivery_id', 'symbol_name'] as const),
  ...(['trading_date', 'session', 'flags', 'derived', 'realised_pnl', 'occurred_at', 'received_at'] as const),
  ...(['stored_at', 'quiet', 'import_id'] as const),
] as const satisfies readonly (keyof StoredRecord)[]

interface MovedHead {
  strategy_id: string
  chain_seq: number
  chain_hash: string
}

const CHAIN_HEADS = bulkUpdate(
  'strategies',
  { strategy_id: 'text', chain_seq: 'integer', chain_hash: 'text' },
  { id: 'id', key: 'strategy_id' },
)

/** Moves the heads of chains on. */
async function moveHeads(uow: UnitOfWork, heads: readonly MovedHead[]): Promise<void> {
  await uow.write(
    CHAIN_HEADS,
    heads.map(({ strategy_id, chain_seq, chain_hash }) => ({ strategy_id, chain_seq, chain_hash })),
  )
}

/** A row just made, beside what its texts say. */
interface Made {
  row: StoredRecord
  facts: Facts
  flags: Flag[]
  derived: SignalRecord['derived']
  message: RecordDraft['message']
}

/** Stores one record that no message brought, with its events. */
export async function insertRecord(
  app: App,
  tx: Tx,
  draft: Omit<RecordDraft, 'webhook_id' | 'delivery_id'>,
): Promise<SignalRecord> {
  const uow = new UnitOfWork(tx)
  const drafts = [{ ...draft, webhook_id: null, delivery_id: null }]
  const stored = await insertRecords(app, tx, uow, drafts)
  await uow.store()
  return stored.get(draft.facts.id) as SignalRecord
}

/** Stores the drafts' records in order, with their events. Gives them by id. */
export async function insertRecords(
  app: App,
  tx: Tx,
  uow: UnitOfWork,
  drafts: readonly RecordDraft[],
): Promise<Map<string, SignalRecord>> {
  const records = new Map<string, SignalRecord>()
  if (drafts.length === 0) return records
  const closed = closedDays(app)
  const made: Made[] = []
  const heads: MovedHead[] = []
  const by_strategy = [...Map.groupBy(drafts, (draft) => draft.row.id).values()]
  const sessions = await app.fold_cache.open(
    tx,
    by_strategy.map(([first]) => (first as RecordDraft).row),
    closed,
  )
  for (const own of by_strategy) {
    const { row } = own[0] as RecordDraft
    const session = sessions.get(row.id) as FoldSession
    let head: StoredHead = { chain_seq: row.chain_seq, chain_hash: row.chain_hash }
    for (const draft of own) {
      const linked = link(head, draft.facts)
      head = { chain_seq: linked.facts.chain_seq, chain_hash: linked.hash }
      const folded =
        draft.import_id === undefined
          ? session.add(linked.facts, linked.hash)
          : session.pass(linked.facts.chain_seq, linked.hash)
      made.push(signalRow(draft, linked, folded, tx.at, closed))
    }
    heads.push({ strategy_id: row.id, ...head })
  }
  const rows = made.map(({ row }) => row)
  await moveHeads(uow, heads)
  for (const [scope, own] of byScope(made, ({ row }) => row.scope)) {
    const told = own.reduce((sum, one) => sum + (one.message ? 2 : 1), 0)
    let seq = await uow.number(scope, told)
    for (const { row, message } of own) {
      row.seq = seq
      seq += message ? 2 : 1
    }
  }
  await uow.write(SIGNALS, made.map(storedRow))
  await addToDays(uow, rows)
  // A record that did not sort last changes what was folded before it.
  const { refolded, owing } = await app.fold_cache.settle(
    tx,
    uow,
    heads.map((head) => head.strategy_id),
  )
  if (owing.length > 0) tx.afterCommit(() => app.jobs.wake('refold'))
  for (const one of made) {
    const { row } = one
    const changed = refolded.get(row.id)
    const record = changed ? presentSignal({ ...row, ...changed }, { edit: true }) : recordOf(one)
    records.set(row.id, record)
    if (row.import_id !== null) continue
    const scope = row.scope as Scope
    uow.addDerived(row.seq, scope, isPointer(record) ? 'signal-voided' : 'signal', record)
    if (one.message) uow.addDerived(row.seq + 1, scope, 'delivery', one.message.told)
  }
  return records
}

/** The row with what it keeps of its message. Of a file's records no single one is told. */
function storedRow({ row, message }: Made): SignalRow {
  if (!message) return { ...row, event_count: row.import_id === null ? 1 : 0, ...NO_MESSAGE }
  const { source_ip, content_type, size, body_encoding, dedupe_key, outcome } = message.row
  const { format_id, duration_ms, ruled_quantity, reason, normal, body } = message.row
  return {
    ...row,
    ...{ event_count: 2, source_ip, content_type, size, body_encoding, dedupe_key, outcome },
    ...{ format_id, duration_ms, ruled_quantity, reason, normal, body },
  }
}

/** What presentSignal would make of the row, without reading its texts again. */
function recordOf({ row, facts, flags, derived }: Made): SignalRecord {
  const { seq, prev_hash, hash, webhook_id, delivery_id, symbol_name, trading_date } = row
  const session = row.session as SignalRecord['session']
  const place = { seq, prev_hash, hash, webhook_id, delivery_id, symbol_name, trading_date, session }
  return { ...facts, ...place, flags, quiet: row.quiet === 1, derived }
}

/** Stands in the row until the strategy is folded again within the same transaction. */
const UNFOLDED: DerivedWithFlags = { ...NO_EFFECT, flags: [] }

function signalRow(
  draft: RecordDraft,
  linked: Linked,
  folded: DerivedWithFlags | null,
  stored_at: string,
  closed: ReadonlySet<string>,
): Made {
  const { facts } = linked
  const place = marketPlace(facts, closed)
  const { flags: fold_flags, ...derived } = folded ?? UNFOLDED
  const flags = [...new Set([...draft.flags, ...place.flags, ...fold_flags])]
  const row: StoredRecord = {
    id: facts.id,
    strategy_id: facts.strategy_id,
    scope: draft.row.scope,
    seq: 0,
    chain_seq: facts.chain_seq,
    prev_hash: linked.prev_hash,
    hash: linked.hash,
    facts: linked.canonical,
    source: facts.source,
    refers_to: facts.refers_to,
    symbol: facts.symbol,
    action: facts.action,
    effect: derived.effect,
    webhook_id: draft.webhook_id,
    delivery_id: draft.delivery_id,
    symbol_name: place.symbol_name,
    trading_date: place.trading_date,
    session: place.session,
    flags: JSON.stringify(flags),
    derived: JSON.stringify(derived),
    realised_pnl: derived.realised_pnl,
    occurred_at: facts.occurred_at,
    received_at: facts.received_at,
    stored_at,
    quiet: draft.quiet === true ? 1 : 0,
    import_id: draft.import_id ?? null,
  }
  return { row, facts, flags, derived, message: draft.message }
}
