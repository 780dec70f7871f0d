// Files of XQ on their way into the record, and out of it, beside everything else (docs/decisions/stock-strategies.md): some rows a transaction, which
// nobody sees before the last one; whoever stops in between goes on with the next start.
import type { Scope } from '#contract/events.ts'
import { assetOf } from '#trading/kinds.ts'
import type { Facts } from '#trading/record.ts'
import { ruled, type StockRule } from '#trading/stock-rules.ts'
import type { App, Tx } from '../context.ts'
import { bulkUpdate, runBulk } from '../db/bulk.ts'
import { held, shortensLog } from '../db/query.ts'
import type { Db, OriginalBatchRow, OriginalRowRow, StrategyRow } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import { newId, sha256 } from '../ids.ts'
import type { Job } from '../jobs/jobs.ts'
import { pointerFacts, webhookFacts } from '../record/facts.ts'
import { insertRecords, type RecordDraft } from '../record/records.ts'
import { oweFold } from '../record/refold.ts'
import { UnitOfWork } from '../record/unit-of-work.ts'
import { SignalKeys, type Waiting } from './original-store.ts'

/** Rows of one transaction: some milliseconds. */
const ROWS = 12
/** Rows without a record, which only go. */
const ROWS_GONE = 200

/** Takes the rest of a file in, or out: nobody sees any of it before the last of its transactions. */
export async function importFile(app: App, job: Job<'import'>): Promise<void> {
  const { key: id, owner: scope } = job
  const shorten = shortensLog(app, scope, 'import')
  let keys: SignalKeys | null = null
  while (!job.over) {
    const known = keys
    const step = () => inTransaction(app, (tx) => stepOf(app, tx, job, known))
    const done = await app.background.piece(scope, step, 'import')
    await shorten()
    if (done === 'done') return
    if (done !== 'keys') continue
    const row = await app.db
      .selectFrom('original_batches as batch')
      .innerJoin('strategies', 'strategies.id', 'batch.strategy_id')
      .selectAll('strategies')
      .where('batch.id', '=', id)
      .executeTakeFirst()
    if (!row) return
    keys = await SignalKeys.of(app, row, scope)
  }
}

/** `keys`: what is there already is to be read first. */
type Step = 'more' | 'keys' | 'done'

async function stepOf(app: App, tx: Tx, job: Job<'import'>, keys: SignalKeys | null): Promise<Step> {
  const batch = await tx.db
    .selectFrom('original_batches')
    .selectAll()
    .where('id', '=', job.key)
    .where('state', 'in', ['importing', 'deleting', 'receiving'])
    .executeTakeFirst()
  if (!batch) return 'done'
  const query = tx.db.selectFrom('strategies').selectAll().where('id', '=', batch.strategy_id)
  const row = await held(app, query).executeTakeFirst()
  if (!row) return 'done'
  await job.mine(tx)
  // Its rows were not all stored in time: its server stopped.
  if (batch.state === 'receiving') return dropSome(tx, batch)
  if (batch.state === 'deleting') return voidSome(app, tx, batch, row)
  if (keys === null || !(await keys.bringOn(tx.db, row))) return 'keys'
  return takeSome(app, tx, batch, row, keys)
}

const MADE = bulkUpdate(
  'original_rows',
  { id: 'text', status: 'text', error: 'text', signal_id: 'text', signal: 'text' },
  { id: 'id', key: 'id' },
)

async function takeSome(
  app: App,
  tx: Tx,
  batch: OriginalBatchRow,
  row: StrategyRow,
  keys: SignalKeys,
): Promise<Step> {
  const waiting = await tx.db
    .selectFrom('original_rows')
    .selectAll()
    .where('batch_id', '=', batch.id)
    .where('status', '=', 'pending')
    .orderBy('place')
    .limit(ROWS)
    .execute()
  // Nobody wants more of a strategy that was deleted meanwhile; what is there is part of its chain.
  if (waiting.length === 0 || row.deleted_at !== null) return finish(app, tx, batch, row)
  const { drafts, made } = await madeOf(app, tx, batch, row, waiting, keys)
  const hidden = drafts.map((draft) => ({ ...draft, import_id: batch.id }))
  await appendHidden(app, tx, batch, row, hidden)
  await runBulk(tx.db, MADE, made)
  return 'more'
}

/** What becomes of rows: a signal each, unless it is there already or a rule leaves it out. */
export async function madeOf(
  app: Pick<App, 'intake'>,
  tx: Tx,
  batch: Pick<OriginalBatchRow, 'created_by'>,
  row: StrategyRow,
  waiting: readonly OriginalRowRow[],
  keys: SignalKeys,
) {
  const rules = (await app.intake.rules.of(tx.db, [row])).get(row.id) ?? []
  const drafts: RecordDraft[] = []
  const made = waiting.map((one) => {
    const { signal, flags } = JSON.parse(one.signal as string) as Waiting
    const none = { id: one.id, signal_id: null, signal: null, error: null }
    if (signal === null) return { ...none, status: 'invalid', error: one.error }
    const copy = keys.find(signal)
    if (copy !== null) return { ...none, status: 'duplicate', error: '同樣的訊號已經有了', signal_id: copy }
    const { ignored, quantity } = ruling(rules, signal, one)
    if (ignored !== null) return { ...none, status: 'ignored_by_rule', error: `依規則「${ignored}」忽略` }
    const id = newId()
    keys.add(id, signal)
    const facts: RecordDraft['facts'] = {
      ...webhookFacts(
        { ...signal, quantity },
        {
          id,
          strategy_id: row.id,
          asset: assetOf(row),
          received_at: tx.at,
          body_sha256: sha256(one.raw),
        },
      ),
      source: 'import',
      created_by: batch.created_by,
    }
    drafts.push({ facts, flags, row, webhook_id: null, delivery_id: null, quiet: true })
    return { ...none, status: 'imported', signal_id: id }
  })
  return { drafts, made }
}

/** Rules say what counts; they tell nobody of a file. What may close something is never left out. */
export function ruling(
  rules: readonly StockRule[],
  signal: NonNullable<Waiting['signal']>,
  { parsed }: Pick<OriginalRowRow, 'parsed'>,
): { ignored: string | null; quantity: number | null } {
  const { volume = null } = parsed === null ? {} : (JSON.parse(parsed) as { volume?: number | null })
  const told = () => ({ last_at: null, today: 0, today_in_all: 0 })
  const { rule, result } = ruled(rules, { ...signal, volume }, { at: signal.occurred_at, told, held: 0 })
  const opens = ['buy', 'long_entry', 'short_entry', 'add'].includes(signal.action)
  if (!rule || !opens) return { ignored: null, quantity: signal.quantity }
  if (result === 'ignore') return { ignored: rule.name, quantity: null }
  return {
    ignored: null,
    quantity: signal.quantity === null ? null : (rule.quantity_override ?? signal.quantity),
  }
}

/** Records that nobody is shown, and that move nothing, before `finish`. */
async function appendHidden(
  app: App,
  tx: Tx,
  batch: OriginalBatchRow,
  row: StrategyRow,
  drafts: readonly RecordDraft[],
): Promise<void> {
  if (drafts.length === 0) return
  if (row.shown_seq === null)
    await tx.db
      .updateTable('strategies')
      .set({ shown_seq: row.chain_seq, shown_hash: row.chain_hash })
      .where('id', '=', row.id)
      .execute()
  const uow = new UnitOfWork(tx)
  await insertRecords(app, tx, uow, drafts)
  await uow.store()
  await tx.db
    .updateTable('original_batches')
    .set((eb) => ({ made: eb('made', '+', drafts.length) }))
    .where('id', '=', batch.id)
    .execute()
}

/** Shows everything at once; folding follows. */
async function finish(app: App, tx: Tx, batch: OriginalBatchRow, row: StrategyRow): Promise<Step> {
  await tx.db
    .updateTable('original_batches')
    .set({ ...(await countsOf(tx.db, batch.id)), state: 'done', done_at: tx.at })
    .where('id', '=', batch.id)
    .execute()
  await reveal(app, tx, row)
  return 'done'
}

async function reveal(app: App, tx: Tx, row: StrategyRow): Promise<void> {
  if (row.shown_seq !== null) {
    await tx.db
      .updateTable('strategies')
      .set({ shown_seq: null, shown_hash: null })
      .where('id', '=', row.id)
      .execute()
    await oweFold(tx.db, row, row.shown_seq + 1)
    tx.afterCommit(() => app.jobs.wake('refold'))
  }
  await tx.append(row.scope as Scope, 'strategy', { id: row.id, change: 'updated' })
}

/** Rows of a file by what became of them. */
export async function countsOf(db: Db, batch_id: string) {
  const rows = await db
    .selectFrom('original_rows')
    .select((eb) => ['status', eb.fn.countAll().as('count')])
    .where('batch_id', '=', batch_id)
    .groupBy('status')
    .execute()
  const none = { imported: 0, duplicate: 0, ignored_by_rule: 0, invalid: 0, pending: 0 }
  return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)])) }
}

async function voidSome(app: App, tx: Tx, batch: OriginalBatchRow, row: StrategyRow): Promise<Step> {
  const rows = await tx.db
    .selectFrom('original_rows')
    .select(['id', 'signal_id'])
    .where('batch_id', '=', batch.id)
    .where('status', '=', 'imported')
    .orderBy('place')
    .limit(ROWS)
    .execute()
  if (rows.length === 0) return dropSome(tx, batch, () => reveal(app, tx, row))
  const ids = rows.flatMap(({ signal_id }) => signal_id ?? [])
  const voided = await tx.db
    .selectFrom('signals')
    .select('refers_to')
    .where('refers_to', 'in', ids)
    .where('source', '=', 'void')
    .execute()
  const gone = new Set(voided.map(({ refers_to }) => refers_to))
  const stored = await tx.db.selectFrom('signals').select('facts').where('id', 'in', ids).execute()
  const targets = stored.map(({ facts }) => JSON.parse(facts) as Facts).filter(({ id }) => !gone.has(id))
  const reason = `刪除匯入的檔案「${batch.file_name.slice(0, 100)}」`
  const drafts = targets.map((target) => ({
    facts: pointerFacts(
      target,
      { source: 'void', reason },
      { id: newId(), at: tx.at, created_by: batch.created_by },
    ),
    ...{ flags: [], row, webhook_id: null, delivery_id: null, quiet: true, import_id: batch.id },
  }))
  await appendHidden(app, tx, batch, row, drafts)
  await tx.db
    .deleteFrom('original_rows')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  return 'more'
}

/** Rows without a record go, then the file: what it made of the chain stays known, for the owner's room. */
async function dropSome(tx: Tx, batch: OriginalBatchRow, then?: () => Promise<void>): Promise<Step> {
  const rows = await tx.db
    .selectFrom('original_rows')
    .select('id')
    .where('batch_id', '=', batch.id)
    .limit(ROWS_GONE)
    .execute()
  if (rows.length > 0) {
    const ids = rows.map(({ id }) => id)
    await tx.db.deleteFrom('original_rows').where('id', 'in', ids).execute()
    return 'more'
  }
  if (batch.made === 0) await tx.db.deleteFrom('original_batches').where('id', '=', batch.id).execute()
  else
    await tx.db
      .updateTable('original_batches')
      .set({ state: 'deleted', kept_bytes: 0, file_name: '', layout: '{}' })
      .where('id', '=', batch.id)
      .execute()
  await then?.()
  return 'done'
}
