// What reading deliveries again would change (ruling C41): decided here, for the dry run and for the commit alike. Writes nothing.

import type { ReplayChange } from '#contract/webhook-format.ts'
import type { Facts, NormalSignal } from '#trading/record.ts'
import type { Tx } from '../context.ts'
import type { Db, DeliveryRow, StrategyRow } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { webhookFacts } from '../record/facts.ts'
import type { RulesKnown } from '../record/stock-rules.ts'
import { pickKey } from './batch.ts'
import { Copies, type Copy } from './copies.ts'
import { trimmedHash, type Verdict } from './judge.ts'
import { columnsOf, hindrance, judgeAgain, type ReadingGround } from './reread.ts'
import { Rulings } from './ruling.ts'

// What stands today of the signals that deliveries made: their facts, the price that counts, and whether a person voided them.

interface SignalStanding {
  id: string
  facts: Facts
  /** The newest correction's, else its own. */
  price: number | null
  /** By a person: what a replay voids no delivery names any more. */
  voided_by: number | null
}

/** The signals of their own that these deliveries made, by delivery. */
async function signalStandings(
  db: Db,
  deliveries: readonly DeliveryRow[],
): Promise<ReadonlyMap<string, SignalStanding>> {
  const own = new Map(
    deliveries.flatMap(({ id, signal_id, outcome }) =>
      signal_id === null || outcome === 'duplicate' ? [] : [[signal_id, id] as const],
    ),
  )
  const standing = new Map<string, SignalStanding>()
  if (own.size === 0) return standing
  const ids = [...own.keys()]
  const rows = await db.selectFrom('signals').select(['id', 'facts']).where('id', 'in', ids).execute()
  const pointers = await db
    .selectFrom('signals')
    .select(['refers_to', 'source', 'chain_seq', 'facts'])
    .where('refers_to', 'in', ids)
    .orderBy('chain_seq')
    .execute()
  const pointing = Map.groupBy(pointers, ({ refers_to }) => refers_to)
  for (const { id, facts: text } of rows) {
    const facts = JSON.parse(text) as Facts
    const at_it = pointing.get(id) ?? []
    const corrected = at_it.findLast(({ source }) => source === 'correction')
    standing.set(own.get(id) as string, {
      id,
      facts,
      price: corrected ? (JSON.parse(corrected.facts) as Facts).price : facts.price,
      voided_by: at_it.find(({ source }) => source === 'void')?.chain_seq ?? null,
    })
  }
  return standing
}

/** What becomes of the signal a delivery made; `anew` a void and a further record, with the price a person had given kept. */
type Deed =
  | { kind: 'none' }
  | { kind: 'make' }
  | { kind: 'correct'; price: number }
  | { kind: 'anew'; keep_price: number | null }
  | { kind: 'void' }

export interface ReplayPlan {
  delivery: DeliveryRow
  /** Null where it cannot be read again; with a `why` it is not acted upon. */
  verdict: Verdict | null
  standing: SignalStanding | null
  change: ReplayChange
  deed: Deed
  why: string | null
  /** The row as it will be. Of one that waits for a format `format_id` is the one it waited for, null = to be found. */
  next: DeliveryRow
  copy: Copy | null
  /** By a rule of the strategy. */
  quiet: boolean
}

interface Seat {
  delivery: DeliveryRow
  standing: SignalStanding | null
  why: string | null
  verdict: Verdict | null
}

/** What a plan is made with. */
interface Known {
  strategy: StrategyRow
  copies: Copies
  rulings: Rulings
  at: string
}

/** Plans for these deliveries, in the order they came; `rulings` store what they told when the plans are carried out. */
export async function planReplay(
  tx: Tx,
  ground: ReadingGround & { rules: RulesKnown },
  deliveries: readonly DeliveryRow[],
): Promise<{ plans: ReplayPlan[]; rulings: Rulings }> {
  const standing = await signalStandings(tx.db, deliveries)
  const seats = deliveries.map((delivery): Seat => {
    const mine = standing.get(delivery.id) ?? null
    const barred = hindrance(delivery, ground.webhook)
    const voided = mine?.voided_by
      ? `訊號已由第 ${mine.voided_by.toLocaleString('en-US')} 筆紀錄作廢，維持作廢`
      : null
    const verdict = barred === null ? judgeAgain(ground, delivery) : null
    return { delivery, standing: mine, why: barred ?? voided, verdict }
  })
  const copies = await copiesOf(tx, ground, seats)
  const rulings = await Rulings.of(
    ground.rules,
    tx,
    seats.flatMap(({ delivery, verdict }) =>
      delivery.outcome === 'held' && verdict?.signal
        ? [{ row: ground.strategy, symbol: verdict.signal.symbol }]
        : [],
    ),
  )
  const known = { strategy: ground.strategy, copies, rulings, at: tx.at }
  const plans = new Map<string, ReplayPlan>()
  // Those that stand come first: what stands is not taken for the copy of something that only now becomes a signal.
  const [firm, loose] = [seats.filter((one) => one.standing), seats.filter((one) => !one.standing)]
  for (const seat of [...firm, ...loose]) plans.set(seat.delivery.id, plan(seat, known))
  return { plans: deliveries.map(({ id }) => plans.get(id) as ReplayPlan), rulings }
}

/** What was there before, as the present settings know it: also the originals of copies that are read again without them. */
async function copiesOf(tx: Tx, ground: ReadingGround, seats: readonly Seat[]): Promise<Copies> {
  const keyed = seats.flatMap(({ delivery, verdict }) => (verdict?.signal ? [keyOf(delivery, verdict)] : []))
  const here = new Set(seats.map(({ delivery }) => delivery.id))
  const copies = await Copies.of(tx, keyed, here)
  const originals = seats.flatMap(({ delivery, verdict }) =>
    verdict?.signal && delivery.duplicate_of !== null && !here.has(delivery.duplicate_of)
      ? [delivery.duplicate_of]
      : [],
  )
  if (originals.length === 0) return copies
  const rows = await tx.db
    .selectFrom('deliveries')
    .selectAll()
    .where('webhook_id', '=', ground.webhook.id)
    .where('id', 'in', originals)
    .where('outcome', 'in', ['accepted', 'late'])
    .execute()
  for (const row of rows) {
    const verdict = judgeAgain(ground, row)
    if (row.signal_id !== null && verdict.signal) copies.add(keyOf(row, verdict), row.id, row.signal_id)
  }
  return copies
}

function keyOf({ webhook_id, received_at }: DeliveryRow, verdict: Verdict) {
  return { webhook_id, received_at, ...pickKey(verdict) }
}

function plan(seat: Seat, { strategy, copies, rulings, at }: Known): ReplayPlan {
  const { delivery, standing, why, verdict } = seat
  const refused = delivery.outcome === 'rejected' || delivery.outcome === 'held'
  const left = (because: string | null): ReplayPlan => {
    const change = refused ? 'still_refused' : 'same'
    const deed = { kind: 'none' as const }
    return { ...seat, why: because, change, deed, next: delivery, copy: null, quiet: false }
  }
  if (!verdict || why !== null) {
    // It keeps its place among those that later ones may be copies of.
    if (standing && verdict?.signal) copies.add(keyOf(delivery, verdict), delivery.id, standing.id)
    return left(why)
  }
  if (standing && verdict.outcome === 'held') {
    copies.add(keptKeyOf(delivery), delivery.id, standing.id)
    return left('這種格式還沒有確認過，維持原來的訊號')
  }
  const waited = verdict.asks && delivery.format_id
  const base = {
    ...delivery,
    ...columnsOf(verdict),
    ...{ duplicate_of: null, signal_id: null, format_id: verdict.format_id ?? waited },
  }
  const done = (
    change: ReplayChange,
    deed: Deed,
    columns: Partial<DeliveryRow>,
    copy: Copy | null = null,
    more: Partial<Pick<ReplayPlan, 'verdict' | 'quiet'>> = {},
  ): ReplayPlan => {
    const next = { ...base, ...columns }
    const touched = (Object.keys(next) as (keyof DeliveryRow)[]).some(
      (key) => next[key] !== delivery[key] && (key !== 'format_id' || change !== 'same'),
    )
    const row = touched ? { ...next, replayed_at: at } : delivery
    return { ...seat, change, deed, why, next: row, copy, quiet: false, ...more }
  }
  if (!verdict.signal) {
    if (standing) return done('now_refused', { kind: 'void' }, {})
    const ignored = delivery.outcome === 'ignored' && verdict.outcome === 'ignored'
    return done(ignored ? 'same' : 'still_refused', { kind: 'none' }, {})
  }
  const key = keyOf(delivery, verdict)
  const copy = copies.find(key, standing ? delivery.id : undefined)
  if (copy?.kind === 'duplicate') {
    const columns = {
      outcome: 'duplicate',
      duplicate_of: copy.delivery_id,
      signal_id: copy.signal_id,
      reason: verdict.dedupe_why,
    }
    if (standing) return done('now_refused', { kind: 'void' }, columns, copy)
    return done(refused ? 'still_refused' : 'same', { kind: 'none' }, columns, copy)
  }
  const deed = standing ? deedOf(standing, verdict, delivery) : { kind: 'make' as const }
  const kept = standing && (deed.kind === 'none' || deed.kind === 'correct')
  const signal_id = kept ? standing.id : newId()
  // No rule has looked at what only waited.
  const ruled =
    delivery.outcome === 'held'
      ? rulings.of(strategy, { ...verdict, signal: verdict.signal }, delivery, signal_id)
      : { signal: verdict.signal, quiet: false, columns: {} }
  if (ruled.signal === null) return done('still_refused', { kind: 'none' }, ruled.columns, copy)
  copies.add(key, delivery.id, signal_id)
  const change = standing ? (deed.kind === 'none' ? 'same' : 'changed') : 'new'
  const read = { verdict: { ...verdict, signal: ruled.signal }, quiet: ruled.quiet }
  return done(change, deed, { ...ruled.columns, signal_id }, copy, read)
}

/** The key it was stored with. */
function keptKeyOf({ webhook_id, received_at, dedupe_key, body }: DeliveryRow) {
  const dedupe_body = body === null ? null : trimmedHash(body)
  return { webhook_id, received_at, dedupe_key, dedupe_window_ms: 0, dedupe_body }
}

/** Of a signal's facts, what is read from its message; the price has its own rule. */
const READ = [
  'external_id',
  'symbol_raw',
  'symbol',
  'contract',
  'action',
  'quantity',
  'unit',
  'target_position',
  'reported_prev',
  'occurred_at',
  'timeframe',
  'note',
  'reason',
] as const satisfies readonly (keyof Facts)[]

function deedOf(standing: SignalStanding, verdict: Verdict, delivery: DeliveryRow): Deed {
  if (!verdict.signal) return { kind: 'none' }
  const { id, strategy_id, asset } = standing.facts
  const { received_at, body_sha256 } = delivery
  const read = webhookFacts(verdict.signal, { id, strategy_id, asset, received_at, body_sha256 })
  // A price that a person has given stays: only what the message itself is read as can differ from what it was read as.
  const was =
    delivery.normal === null ? standing.facts.price : (JSON.parse(delivery.normal) as NormalSignal).price
  const price_kept = read.price === was || read.price === standing.price
  if (READ.some((key) => read[key] !== standing.facts[key])) {
    const keep = read.price === was && standing.price !== read.price ? standing.price : null
    return { kind: 'anew', keep_price: keep }
  }
  if (price_kept) return { kind: 'none' }
  return read.price === null ? { kind: 'anew', keep_price: null } : { kind: 'correct', price: read.price }
}
