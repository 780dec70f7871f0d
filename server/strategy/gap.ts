// Positions that the source reported differently: what is shown of them, and what becomes of an answer (wire §14, domain §5.3, rule 6).
import { ApiError } from '#contract/errors.ts'
import type { Scope } from '#contract/events.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { PositionGap } from '#contract/strategy.ts'
import type { OpenGap } from '#trading/fold/state.ts'
import type { Facts } from '#trading/record.ts'
import { holdStrategy } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import type { Db, Snapshot, StrategyRow } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { insertRecord, presentSignal, RECORD_COLUMNS } from '../record/records.ts'

const NOTE = '部位不一致，以來源為準'

/** Which records ask, of a fold as it is stored. */
export const gapIdsOf = ({ position_gaps }: Pick<Snapshot, 'position_gaps'>): string[] =>
  (JSON.parse(position_gaps) as OpenGap[]).map(({ id }) => id)

/** The open gaps of these folds, by strategy, newest first. */
export async function gapsOf(
  db: Db,
  folds: readonly Pick<Snapshot, 'position_gaps'>[],
): Promise<Map<string, PositionGap[]>> {
  const ids = folds.flatMap(gapIdsOf)
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('signals').select(RECORD_COLUMNS).where('id', 'in', ids).execute()
  const answers = await answersTo(db, rows)
  const place = new Map(ids.map((id, at) => [id, at]))
  const newest = rows.sort((a, b) => (place.get(b.id) ?? 0) - (place.get(a.id) ?? 0))
  const gaps = newest.map((row) => {
    const { id, symbol, symbol_name, contract, occurred_at, reported_prev, derived } = presentSignal(row, {
      edit: true,
    })
    const gap = {
      ...{ signal_id: id, symbol, symbol_name, contract, occurred_at },
      reported: reported_prev ?? derived.position_before,
      held: derived.position_before,
      after: derived.position_after,
      answer: answers.get(id) ?? null,
    }
    return { strategy_id: row.strategy_id, gap }
  })
  const grouped = Map.groupBy(gaps, ({ strategy_id }) => strategy_id)
  return new Map([...grouped].map(([id, own]) => [id, own.map(({ gap }) => gap)]))
}

/** The last answer to each of these signals. */
export async function answersTo(
  db: Db,
  signals: readonly { readonly id: string; readonly strategy_id: string }[],
): Promise<Map<string, PositionGap['answer']>> {
  if (signals.length === 0) return new Map()
  const rows = await db
    .selectFrom('gap_answers')
    .leftJoin('users', 'users.id', 'gap_answers.answered_by')
    .select(['gap_answers.signal_id', 'gap_answers.answer', 'gap_answers.answered_at', 'users.name'])
    .where('gap_answers.strategy_id', 'in', [...new Set(signals.map(({ strategy_id }) => strategy_id))])
    .where(
      'gap_answers.signal_id',
      'in',
      signals.map(({ id }) => id),
    )
    .orderBy('gap_answers.id')
    .execute()
  return new Map(
    rows.map(({ signal_id, answer, answered_at, name }) => [
      signal_id,
      { is: answer, at: answered_at, by: name ?? '' },
    ]),
  )
}

/**
 * Notes the answer; gives the record that was made, if any: where the source told only where it had stood before, nothing led
 * the position there, so 以來源為準 does it by a further record. 4040 for a signal of another strategy, 4220 for one that fits.
 */
export async function answerTo(
  app: App,
  tx: Tx,
  actor: Actor,
  { id, signal_id, answer }: { id: string; signal_id: string; answer: 'add' | 'source' | 'ignore' },
): Promise<SignalRecord | null> {
  // Held until the commit: of two who answer at once, the second finds what the first made.
  const row = await holdStrategy(app, tx.db, actor, id, 'strategy:edit')
  const stored = await tx.db
    .selectFrom('signals')
    .select(RECORD_COLUMNS)
    .where('id', '=', signal_id)
    .where('strategy_id', '=', row.id)
    .executeTakeFirst()
  if (!stored) throw new ApiError(4040)
  const record = presentSignal(stored, { edit: true })
  if (!record.flags.includes('position_gap'))
    throw new ApiError(4220, { text: '這筆訊號的部位和來源一致：可能已經補上漏收的訊號，或訊號已作廢' })
  // What is missing comes as a signal of its own; until it is there the question stays open.
  if (answer === 'add') return null
  const last = (await answersTo(tx.db, [stored])).get(signal_id)
  if (last?.is === answer) return null
  await tx.db
    .insertInto('gap_answers')
    .values({
      ...{ id: newId(), strategy_id: row.id, signal_id, answer },
      ...{ answered_by: actor.uid, answered_at: tx.at },
    })
    .execute()
  const led = answer === 'source' && record.action !== 'target'
  const made = led ? await leadThere(app, tx, actor, row, record) : null
  await tx.append(row.scope as Scope, 'strategy', { id: row.id, change: 'updated' })
  return made
}

/** A further record right before the signal, of the position that the source reported there; its price is for somebody to fill in. */
async function leadThere(
  app: App,
  tx: Tx,
  actor: Actor,
  row: StrategyRow,
  { asset, symbol, contract, unit, reported_prev, occurred_at }: SignalRecord,
): Promise<SignalRecord> {
  const facts: Omit<Facts, 'chain_seq'> = {
    id: newId(),
    strategy_id: row.id,
    source: 'manual',
    refers_to: null,
    external_id: null,
    asset,
    symbol_raw: null,
    symbol,
    contract,
    action: 'target',
    quantity: null,
    unit,
    target_position: reported_prev,
    reported_prev: null,
    price: null,
    occurred_at: new Date(Date.parse(occurred_at) - 1).toISOString(),
    received_at: tx.at,
    timeframe: null,
    note: NOTE,
    reason: null,
    body_sha256: null,
    created_by: actor.uid,
  }
  return insertRecord(app, tx, { facts, flags: [], row, quiet: true })
}
