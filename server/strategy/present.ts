// Strategies as they travel: the row, what folding left, the last signal, warnings; a fixed number of queries per list.
import { sql } from 'kysely'
import { may } from '#contract/permissions.ts'
import type { PositionGap, Strategy } from '#contract/strategy.ts'
import { EMPTY_TALLY } from '#trading/fold/state.ts'
import { EMPTY_STATE } from '#trading/fold.ts'
import type { Sequence } from '#trading/sender-count.ts'
import { today } from '../access/membership.ts'
import { asShown, mayEdit, seesRecord, visibleSignals } from '../access/strategies.ts'
import type { Actor, App } from '../context.ts'
import { settingsOf } from '../db/query.ts'
import type { Db, Snapshot, StrategyRow } from '../db/schema.ts'
import { waitingByStrategy } from '../ingest/format-store.ts'
import { closedDays } from '../record/calendar.ts'
import { RECORD_COLUMNS } from '../record/records.ts'
import { viewOf } from '../record/refold.ts'
import { heardOf, isSilent } from '../record/silence.ts'
import type { Figures } from '../record/snapshots.ts'
import { showSignals } from '../record/visibility.ts'
import { expiriesOf } from './expiry.ts'
import { freshenFigures } from './figures.ts'
import { gapsOf } from './gap.ts'
import { notifyOf } from './notify.ts'
import { readStatistics } from './statistics.ts'
import { fieldsOfRow, groupsOf } from './store.ts'

const DAY_MS = 86_400_000
/** 14 天無訊號 (domain §7.1). */
const SILENT_MS = 14 * DAY_MS

type Warning = Strategy['warnings'][number]
type Folded = Pick<
  Snapshot,
  | 'state'
  | 'positions'
  | 'data'
  | 'last_signal_id'
  | 'last_occurred_at'
  | 'signal_count'
  | 'pending_price_count'
  | 'price_suspect_count'
  | 'position_gaps'
>

/** Strategies in the order given, as this actor sees them. Where many figures are behind nobody waits for these. */
export async function presentStrategies(
  app: App,
  db: Db,
  actor: Actor,
  stored: readonly StrategyRow[],
  many_behind = false,
): Promise<Strategy[]> {
  if (stored.length === 0) return []
  const rows = stored.map(asShown)
  const ids = rows.map((row) => row.id)
  const edit = mayEdit(actor)
  const can = (['edit', 'delete'] as const).filter((what) => may(actor.identity, `strategy:${what}`))
  const behind = await freshenFigures(app, db, actor, rows, ...(many_behind ? [0] : []))
  const folds = await foldsOf(app, db, rows)
  const lasts = await lastSignals(app, db, actor, [...folds.values()])
  const names = await namesOf(
    db,
    rows.map((row) => row.created_by),
  )
  const notify = await notifyOf(db, actor, rows)
  const groups = await groupsOf(db, actor, ids, today(app))
  const own = await figuresOf(app, db, actor, rows)
  const gaps = edit ? await gapsOf(db, [...folds.values()]) : new Map<string, PositionGap[]>()
  const heard = edit ? await heardOf(db, ids) : new Map<string, string | null>()
  const missing = edit
    ? await missingNumbers(db, ids)
    : new Map<string, NonNullable<Strategy['missing_numbers']>>()
  const held = edit ? await waitingByStrategy(db, ids) : new Map<string, { newest: string }>()
  const asked = edit ? await askedShort(db, rows) : new Set<string>()
  const rejected = edit
    ? await rejectedSince(db, ids, new Date(app.now() - DAY_MS).toISOString())
    : new Set<string>()
  return rows.map((row) => {
    const fold = folds.get(row.id) as Folded
    const fields = fieldsOfRow(row)
    const own_gaps = gaps.get(row.id) ?? []
    const warnings = edit
      ? warningsOf(row, fold, app.now(), {
          open: heard.has(row.id),
          silent: isSilent(row, heard),
          held: held.has(row.id),
          rejected: rejected.has(row.id),
          short: asked.has(row.id),
          gap: own_gaps.some(({ answer }) => answer === null),
        })
      : []
    const expiries = edit ? expiriesOf(row, fold, new Date(app.now()).toISOString(), closedDays(app)) : []
    if (expiries.length > 0) warnings.push('expired')
    const waiting = held.get(row.id)
    const missing_numbers = missing.get(row.id) ?? []
    if (missing_numbers.length > 0) warnings.push('missing')
    return {
      ...fields,
      id: row.id,
      created_at: row.created_at,
      updated_at: row.updated_at,
      owner: { type: row.owner_type, id: row.owner_id },
      summary_text: fields.summary,
      positions: JSON.parse(fold.positions),
      ...(own.get(row.id) ?? {
        ...(JSON.parse(fold.data) as Figures),
        signal_count: fold.signal_count,
        ...(behind.has(row.id) && { recalculating: true }),
      }),
      last_signal: lasts.get(row.id) ?? null,
      pending_price_count: fold.pending_price_count,
      price_suspect_count: fold.price_suspect_count,
      warnings,
      ...(expiries.length > 0 && { expiries }),
      ...(missing_numbers.length > 0 && { missing_numbers }),
      ...(waiting && { held_format_id: waiting.newest }),
      ...(own_gaps.length > 0 && { position_gaps: own_gaps }),
      my_notify: notify(row),
      groups: groups.get(row.id) ?? [],
      access: actor.access?.get(row.id) ?? null,
      chain_head: { chain_seq: row.chain_seq, hash: row.chain_hash },
      can,
      created_by: { id: row.created_by, name: names.get(row.created_by) ?? '' },
      // The endpoint's output schema checks what the compiler cannot see: settings fit their kind.
    } as unknown as Strategy
  })
}

function warningsOf(
  row: StrategyRow,
  fold: Folded,
  now: number,
  {
    open,
    silent,
    held,
    rejected,
    short,
    gap,
  }: Readonly<Record<'open' | 'silent' | 'held' | 'rejected' | 'short' | 'gap', boolean>>,
): Warning[] {
  const warnings: Warning[] = []
  const heard = Date.parse(fold.last_occurred_at ?? row.created_at)
  if (!open && row.status !== 'archived' && !onlyFiles(row)) warnings.push('no_webhook')
  const late = heard < now - SILENT_MS && !onlyFiles(row)
  if (row.status === 'active' && (silent || late)) warnings.push('silent')
  if (short) warnings.push('asks_short')
  if (gap) warnings.push('position_gap')
  if (held) warnings.push('held')
  if (fold.pending_price_count > 0) warnings.push('pending_price')
  if (fold.price_suspect_count > 0) warnings.push('price_suspect')
  if (rejected) warnings.push('rejected')
  return warnings
}

/** Its signals come in files alone: nothing is expected to arrive. */
function onlyFiles(row: StrategyRow): boolean {
  const { settings } = settingsOf(row)
  return 'data_source' in settings && settings.data_source === 'csv'
}

async function foldsOf(app: App, db: Db, rows: readonly StrategyRow[]): Promise<Map<string, Folded>> {
  const found = await db
    .selectFrom('snapshots as folds')
    .innerJoin('snapshots as figures', (join) =>
      join.onRef('figures.strategy_id', '=', 'folds.strategy_id').on('figures.kind', '=', 'figures'),
    )
    .select(['folds.strategy_id', 'folds.last_signal_id', 'folds.last_occurred_at', 'folds.signal_count'])
    .select(['folds.pending_price_count', 'folds.price_suspect_count', 'folds.positions'])
    .select(['folds.position_gaps', 'folds.state', 'figures.data'])
    .where('folds.kind', '=', 'head')
    .where(
      'folds.strategy_id',
      'in',
      rows.map((row) => row.id),
    )
    .execute()
  const folds = new Map<string, Folded>(found.map((fold) => [fold.strategy_id, fold]))
  for (const row of rows) {
    if (folds.has(row.id)) continue
    const empty = { state: EMPTY_STATE, trades: [], positions: [] }
    const { summary, curve } = viewOf(empty, EMPTY_TALLY, row, closedDays(app))
    const texts = { state: JSON.stringify(EMPTY_STATE), positions: '[]', position_gaps: '[]' }
    folds.set(row.id, { ...EMPTY_TALLY, ...texts, data: JSON.stringify({ summary, curve }) })
  }
  return folds
}

/** The last signal of each, as far as this actor sees it. */
async function lastSignals(app: App, db: Db, actor: Actor, folds: readonly Folded[]) {
  const ids = folds.flatMap((fold) => fold.last_signal_id ?? [])
  if (ids.length === 0) return new Map<string, never>()
  const rows = await db.selectFrom('signals').select(RECORD_COLUMNS).where('id', 'in', ids).execute()
  const seen = rows.filter((row) => seesRecord(actor.access, row.strategy_id, row.occurred_at))
  const records = await showSignals(app, db, actor, seen)
  return new Map(records.map((record) => [record.strategy_id, record]))
}

async function namesOf(db: Db, uids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(uids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** The figures of a member whose organization does not share those of the whole record; empty for everybody else. */
async function figuresOf(app: App, db: Db, actor: Actor, rows: readonly StrategyRow[]) {
  const figures = new Map<string, Pick<Strategy, 'summary' | 'curve' | 'signal_count'>>()
  if (actor.access === null || actor.membership?.shares) return figures
  const counts = await signalCounts(db, actor)
  for (const row of rows) {
    const { summary, curve } = await readStatistics(app, db, actor, row, {})
    const equities = [row.initial_capital, ...curve.map(({ equity }) => equity)]
    figures.set(row.id, { summary, curve: sampled(equities), signal_count: counts.get(row.id) ?? 0 })
  }
  return figures
}

/** How many signals of each strategy this actor sees: voids and corrections are none. */
async function signalCounts(db: Db, actor: Actor): Promise<Map<string, number>> {
  const rows = await visibleSignals(db, actor)
    .select(({ fn }) => ['signals.strategy_id', fn.countAll().as('count')])
    .where('signals.source', 'not in', ['void', 'correction'])
    .groupBy('signals.strategy_id')
    .execute()
  return new Map(rows.map(({ strategy_id, count }) => [strategy_id, Number(count)]))
}

/** 30 of these values, evenly spread. */
function sampled(values: readonly number[]): number[] {
  return Array.from({ length: 30 }, (_, i) => values[Math.round((i * (values.length - 1)) / 29)] ?? 0)
}

/** Numbers of senders that did not come, by strategy. */
export async function missingNumbers(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, NonNullable<Strategy['missing_numbers']>>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'strategy_id', 'name', 'sequence'])
    .where('strategy_id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('enabled', '=', 1)
    .where('sequence', 'is not', null)
    .execute()
  const found = rows.map(({ id: webhook_id, strategy_id, name, sequence }) => ({
    strategy_id,
    of: { webhook_id, name, numbers: [...(JSON.parse(sequence as string) as Sequence).missing] },
  }))
  const some = Map.groupBy(
    found.filter(({ of }) => of.numbers.length > 0),
    ({ strategy_id }) => strategy_id,
  )
  return new Map([...some].map(([id, own]) => [id, own.map(({ of }) => of)]))
}

/** Those of whose direction nobody has said anything, and that were sent a short since. */
export async function askedShort(
  db: Db,
  rows: readonly Pick<StrategyRow, 'id' | 'assumed'>[],
): Promise<Set<string>> {
  // most have said it: nothing is looked up
  const open = rows.filter(({ assumed }) => (JSON.parse(assumed) as string[]).includes('direction'))
  if (open.length === 0) return new Set()
  const found = await db
    .selectFrom('strategies as s')
    .select('s.id')
    .where(
      's.id',
      'in',
      open.map(({ id }) => id),
    )
    // In these words the index is found by; one of each is enough.
    .where(
      sql<boolean>`(select strategy_id from signals where strategy_id = s.id and flags like '%"asks_short"%' limit 1) is not null`,
    )
    .execute()
  return new Set(found.map(({ id }) => id))
}

async function rejectedSince(db: Db, ids: readonly string[], since: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('messages')
    .select('strategy_id')
    .distinct()
    .where('strategy_id', 'in', ids)
    .where('received_at', '>=', since)
    // Written out: the narrow index of what was refused is found by them.
    .where('outcome', '=', sql.lit('rejected'))
    .where('test', '=', sql.lit(0))
    .execute()
  return new Set(rows.map((row) => row.strategy_id))
}
