// The calls of 原始資料 (domain §8.3): a file is read and tried, taken in, its rows are listed and read again, and it is deleted.
import type { OutputOf, ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import {
  columnMapping,
  deleteOriginalBatch,
  importOriginalData,
  listOriginalData,
  PREVIEW_ROWS,
  reprocessOriginalData,
} from '#contract/original-data.ts'
import { KINDS } from '#trading/kinds.ts'
import { type KeptLayout, layoutAgain, splitAgain } from '#trading/original/layout.ts'
import { type OriginalRow, type ReadFile, RowReader, readFileInSlices } from '#trading/original/rows.ts'
import { type AskedEncoding, type ColumnMapping, FileFault } from '#trading/original/shape.ts'
import type { StockRule } from '#trading/stock-rules.ts'
import { seeStrategy } from '../access/organization.ts'
import { findStrategy, holdStrategy } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import { runBulk } from '../db/bulk.ts'
import { settingsOf, shortensLog } from '../db/query.ts'
import type { Db, OriginalBatchRow, OriginalRowRow, StrategyRow } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import { handle, type Route } from '../http/handle.ts'
import { newId } from '../ids.ts'
import { payloadStrategy } from '../ingest/judge.ts'
import { enqueue } from '../jobs/table.ts'
import { fewAtOnce, fewOfEach } from '../limits/concurrency.ts'
import { insertRecords } from '../record/records.ts'
import { UnitOfWork } from '../record/unit-of-work.ts'
import { roomForFile, roomForImported } from '../usage/quotas.ts'
import { countsOf, madeOf, ruling } from './original-import.ts'
import {
  batchesOf,
  bytesOf,
  csvOf,
  keyOf,
  ROWS,
  readColumns,
  rowOf,
  rowsOf,
  SignalKeys,
} from './original-store.ts'

type Input = ParsedInputOf<typeof importOriginalData>
type Answer = OutputOf<typeof importOriginalData>
type Tried = Answer['preview'][number]['status']

/** Rows computed between two looks at the clock. */
const SLICE = 16
/** Rows stored in one transaction. */
const STORED = 48
const REFUSED_MOST = 200
/** A file whose rows are still not all stored so long after it began never will be: it goes. */
const RECEIVING_MS = 15 * 60_000

/** A file that was read, and what would become of each of its rows. */
interface Prepared {
  read: ReadFile
  outcomes: Tried[]
  batch: OriginalBatchRow | null
}

export function originalDataRoutes(app: App): Route[] {
  // A file of 10 MB takes several times as much while it is read.
  const inTurn = fewAtOnce({
    at_once: 2,
    waiting_most: 8,
    refused: () => new ApiError(4290, { retry_after_s: 10, text: '有其他檔案正在讀取，請 10 秒後再試' }),
  })
  // Of one account one, so that it fills none of the places where others wait.
  const ofOne = fewOfEach({
    at_once: 1,
    waiting_most: 3,
    refused: () => new ApiError(4290, { retry_after_s: 10, text: '你的檔案還在讀取，請 10 秒後再試' }),
  })
  return [
    handle(app, listOriginalData, async ({ input, actor, tx }) => {
      const row = requireXq(await seeStrategy(app, tx.db, actor, input.id))
      if (input.format === 'csv') {
        await app.limits.take('signal_export', actor.uid)
        const file = await app.exports.file(actor.uid, () => csvOf(app, tx.db, input, row.name))
        return file as unknown as OutputOf<typeof listOriginalData>
      }
      const batches = await batchesOf(tx.db, row.id)
      // Asked again and again while the first file comes in, of which no row shows yet: they are not looked through each time.
      if (batches.every(({ state }) => state !== 'done')) return { items: [], next_before: null, batches }
      return { ...(await rowsOf(tx.db, input)), batches }
    }),
    handle(app, importOriginalData, {
      prepare: async ({ input, actor }) => {
        const row = requireXq(await findStrategy(app.db, actor, input.id))
        await app.limits.take('original_data', actor.uid)
        return ofOne(actor.uid, () => inTurn(() => prepared(app, actor, row, input)))
      },
      async run({ input, actor, tx, prepared: found }) {
        const answer = answerOf(found)
        const { batch } = found
        if (batch === null) return answer
        const row = await holdStrategy(app, tx.db, actor, input.id, 'strategy:edit')
        await requireQuiet(tx, row, batch.id)
        await begin(tx, batch, found.read.rows.length)
        if (input.mapping !== undefined) await keepMapping(tx, row, input.mapping)
        await tx.append(actor.scope, 'strategy', { id: row.id, change: 'updated' })
        await app.jobs.add(tx, { kind: 'import', key: batch.id, owner: batch.scope, data: null })
        return answer
      },
    }),
    handle(app, reprocessOriginalData, {
      prepare: async ({ input, actor }) => {
        const row = requireXq(await findStrategy(app.db, actor, input.id))
        const read = await app.background.piece(actor.uid, () => readAgain(app, row, input.row_ids), 'import')
        // Before the strategy is held: its whole record is read for them.
        return { ...read, keys: await SignalKeys.of(app, row, actor.uid) }
      },
      async run({ input, actor, tx, prepared }) {
        const row = await holdStrategy(app, tx.db, actor, input.id, 'strategy:edit')
        await requireQuiet(tx, row)
        // Whoever read them again meanwhile has made their signals; and their file may be gone.
        const open = await unmade(tx.db, row).select('row.id').where('row.id', 'in', input.row_ids).execute()
        const still = new Set(open.map(({ id }) => id))
        const rows = prepared.rows.filter(({ id }) => still.has(id))
        return makeAgain(app, tx, actor, row, { ...prepared, rows })
      },
    }),
    handle(app, deleteOriginalBatch, async ({ input, actor, tx }) => {
      const row = requireXq(await holdStrategy(app, tx.db, actor, input.id, 'strategy:edit'))
      const batch = await tx.db
        .selectFrom('original_batches')
        .selectAll()
        .where('id', '=', input.batch_id)
        .where('strategy_id', '=', row.id)
        .where('state', '<>', 'deleted')
        .executeTakeFirst()
      // Of one that is gone it is done already.
      if (!batch || batch.state === 'receiving') return { voided: 0, rows: 0 }
      const rows = await countsOf(tx.db, batch.id)
      const all = Object.values(rows).reduce((sum, count) => sum + count, 0)
      if (batch.state === 'deleting') return { voided: rows.imported, rows: all }
      await requireQuiet(tx, row)
      await tx.db
        .updateTable('original_batches')
        .set({ state: 'deleting', created_by: actor.uid })
        .where('id', '=', batch.id)
        .execute()
      await tx.append(actor.scope, 'strategy', { id: row.id, change: 'updated' })
      await app.jobs.add(tx, { kind: 'import', key: batch.id, owner: batch.scope, data: null })
      return { voided: rows.imported, rows: all }
    }),
  ]
}

/** 4092 when it was given up meanwhile (RECEIVING_MS): it is not there any more, or some of its rows are gone. */
async function begin(tx: Tx, { id }: OriginalBatchRow, rows: number): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable('original_batches')
    .set({ state: 'importing' })
    .where('id', '=', id)
    .where('state', '=', 'receiving')
    .executeTakeFirstOrThrow()
  const stored = Object.values(await countsOf(tx.db, id)).reduce((sum, count) => sum + count, 0)
  if (numUpdatedRows === 0n || stored < rows)
    throw new ApiError(4092, { retry_after_s: 5, text: '這個檔案讀取太久，請再匯入一次' })
}

/** 4220 of another kind of strategy, with where its past comes in. */
function requireXq<R extends StrategyRow>(row: R): R {
  if (KINDS[row.kind].files) return row
  throw new ApiError(4220, { text: '只有 XQ 股票策略有原始資料：其他策略的訊號請用 Webhook 或手動輸入' })
}

/** 4092 while another file of the strategy is on its way: what shows of its record hangs on one at a time. */
async function requireQuiet(tx: Tx, row: StrategyRow, but = ''): Promise<void> {
  const other = await tx.db
    .selectFrom('original_batches')
    .select(['state', 'file_name'])
    .where('strategy_id', '=', row.id)
    .where('state', 'in', ['importing', 'deleting'])
    .where('id', '<>', but)
    .executeTakeFirst()
  if (other)
    throw new ApiError(4092, {
      retry_after_s: 5,
      text: `「${other.file_name}」正在${other.state === 'importing' ? '匯入' : '刪除'}，請等它完成再試`,
    })
}

/** Which column holds what is kept with the strategy, for the next file. */
async function keepMapping(tx: Tx, row: StrategyRow, mapping: ColumnMapping): Promise<void> {
  const settings = JSON.parse(row.settings) as Record<string, unknown>
  const kept = Object.keys(mapping).length === 0 ? null : mapping
  await tx.db
    .updateTable('strategies')
    .set({ settings: JSON.stringify({ ...settings, csv_mapping: kept }), updated_at: tx.at })
    .where('id', '=', row.id)
    .execute()
}

/** How the strategy's files are read where a call does not say it. */
function usualOf(row: StrategyRow): { encoding: AskedEncoding; mapping: ColumnMapping } {
  const { settings } = settingsOf(row)
  if (!('file_encoding' in settings)) return { encoding: 'auto', mapping: {} }
  return { encoding: settings.file_encoding, mapping: columnMapping(settings.csv_mapping) ?? {} }
}

async function prepared(app: App, actor: Actor, row: StrategyRow, input: Input): Promise<Prepared> {
  const usual = usualOf(row)
  const account = actor.uid
  const options = {
    bytes: input.file,
    file_name: input.name,
    encoding: input.encoding ?? usual.encoding,
    mapping: input.mapping ?? usual.mapping,
    strategy: payloadStrategy(row),
    now: new Date(app.now()).toISOString(),
  }
  const read = await app.background
    .run(account, readFileInSlices(options), 'import')
    .catch((error: unknown) => {
      if (!(error instanceof FileFault)) throw error
      throw new ApiError(4220, { text: error.message, fields: { file: error.message } })
    })
  const keys = await SignalKeys.of(app, row, account)
  const rules = (await app.intake.rules.of(app.db, [row])).get(row.id) ?? []
  const outcomes = await app.background.run(account, triedInSlices(read.rows, keys, rules), 'import')
  const batch = input.dry_run ? null : await receive(app, actor, row, input, read)
  return { read, outcomes, batch }
}

/** What would become of each row; twins in the file see each other. */
function* triedInSlices(
  rows: readonly OriginalRow[],
  keys: SignalKeys,
  rules: readonly StockRule[],
): Generator<undefined, Tried[]> {
  const seen = new Set<string>()
  const outcomes: Tried[] = []
  for (const { signal, parsed } of rows) {
    outcomes.push(tried(signal, parsed, { keys, rules, seen }))
    if (outcomes.length % SLICE === 0) yield
  }
  return outcomes
}

function tried(
  signal: OriginalRow['signal'],
  parsed: OriginalRow['parsed'],
  { keys, rules, seen }: { keys: SignalKeys; rules: readonly StockRule[]; seen: Set<string> },
): Tried {
  if (signal === null) return 'invalid'
  const key = keyOf(signal)
  if (seen.has(key) || keys.find(signal) !== null) return 'duplicate'
  const { ignored } = ruling(rules, signal, { parsed: JSON.stringify(parsed) })
  if (ignored !== null) return 'ignored_by_rule'
  seen.add(key)
  return 'new'
}

/** Stores the rows, some at a time; nothing of them shows before the call's own transaction says so. */
async function receive(
  app: App,
  actor: Actor,
  row: StrategyRow,
  input: Input,
  read: ReadFile,
): Promise<OriginalBatchRow> {
  const id = newId()
  const { places, kept_bytes } = await app.background.run(actor.uid, placesInSlices(read.rows), 'import')
  const records = read.rows.filter(({ signal }) => signal !== null).length
  const counts = {
    imported: 0,
    duplicate: 0,
    ignored_by_rule: 0,
    invalid: read.rows.length - records,
    pending: records,
  }
  const batch: OriginalBatchRow = {
    id,
    strategy_id: row.id,
    scope: row.scope,
    source: input.source,
    file_name: input.name,
    encoding: read.encoding,
    layout: JSON.stringify(read.layout),
    size: input.file.length,
    kept_bytes,
    state: 'receiving',
    ...counts,
    made: 0,
    created_by: actor.uid,
    created_at: new Date(app.now()).toISOString(),
    done_at: null,
  }
  await inTransaction(app, async (tx) => {
    const held = await holdStrategy(app, tx.db, actor, row.id, 'strategy:edit')
    await requireQuiet(tx, held)
    await roomForFile(tx.db, held, { bytes: kept_bytes, records })
    await tx.db.insertInto('original_batches').values(batch).execute()
    const due_at = new Date(app.now() + RECEIVING_MS).toISOString()
    await enqueue(tx.db, { kind: 'import', key: id, owner: row.scope, data: null, due_at })
  })
  const shorten = shortensLog(app, actor.uid, 'import')
  for (let at = 0; at < read.rows.length; at += STORED) {
    // Made as they are stored: all at once they are so many megabytes that clearing up among them takes its time.
    const store = ({ db }: Tx) =>
      runBulk(
        db,
        ROWS,
        read.rows.slice(at, at + STORED).map((one, i) => rowOf(batch, one, places[at + i] as number)),
      )
    await app.background.piece(actor.uid, () => inTransaction(app, store), 'import')
    await shorten()
  }
  return batch
}

/** Each row's place in the order of their own time; XQ's lists begin with the newest, and what is of one second stands in theirs. And the bytes that all of them take. */
function* placesInSlices(
  rows: readonly OriginalRow[],
): Generator<undefined, { places: Uint32Array; kept_bytes: number }> {
  const times = new Float64Array(rows.length)
  let kept_bytes = 0
  for (const [i, row] of rows.entries()) {
    times[i] = row.signal === null ? 0 : Date.parse(row.signal.occurred_at)
    kept_bytes += bytesOf(row)
    if (i % SLICE === SLICE - 1) yield
  }
  const known = times.filter((time) => time !== 0)
  const falling = (known[0] ?? 0) > (known.at(-1) ?? 0)
  const ordered = Uint32Array.from(rows.keys())
  ordered.sort((a, b) => (times[a] as number) - (times[b] as number) || (falling ? b - a : a - b))
  const places = new Uint32Array(rows.length)
  for (const [place, i] of ordered.entries()) places[i] = place
  return { places, kept_bytes }
}

function answerOf({ read, outcomes, batch }: Prepared): Answer {
  const count = (what: Tried) => outcomes.filter((one) => one === what).length
  const refused = read.rows.filter(({ error }) => error !== null)
  return {
    batch_id: batch?.id ?? null,
    taken: count('new'),
    duplicate: count('duplicate'),
    ignored_by_rule: count('ignored_by_rule'),
    refused_count: refused.length,
    refused: refused
      .slice(0, REFUSED_MOST)
      .map(({ row_no, raw, error }) => ({ row_no, raw, reason: error as string })),
    preview: read.rows.slice(0, PREVIEW_ROWS).map(({ row_no, leg, raw, parsed, error }, i) => ({
      ...{ row_no, leg, raw, parsed, error },
      status: outcomes[i] as Tried,
    })),
    encoding: read.encoding,
    delimiter: read.delimiter,
    layout: read.kind,
    columns: read.columns,
  }
}

/** Rows that make no signal yet, as they are read by the strategy's present settings. */
interface ReadAgain {
  rows: OriginalRowRow[]
  /** Of each row, its own part of what its line says now. */
  now: Map<string, OriginalRow>
}

/** Rows of the strategy's files that have made no signal yet. */
function unmade(db: Db, row: StrategyRow) {
  return db
    .selectFrom('original_rows as row')
    .innerJoin('original_batches as batch', 'batch.id', 'row.batch_id')
    .where('row.strategy_id', '=', row.id)
    .where('row.status', 'in', ['invalid', 'pending'])
    .where('batch.state', '=', 'done')
}

async function readAgain(app: App, row: StrategyRow, ids: readonly string[]): Promise<ReadAgain> {
  const rows = await unmade(app.db, row)
    .selectAll('row')
    .select(['batch.layout', 'batch.file_name'])
    .where('row.id', 'in', ids)
    .orderBy('row.place')
    .execute()
  const { mapping } = usualOf(row)
  const now = new Map<string, OriginalRow>()
  const readers = new Map<string, { layout: KeptLayout; reader: RowReader }>()
  for (const one of rows) {
    const known = readers.get(one.batch_id)
    const layout = known?.layout ?? (JSON.parse(one.layout) as KeptLayout)
    const { file_name } = one
    const strategy = payloadStrategy(row)
    const at = { file_name, strategy, now: new Date(app.now()).toISOString() }
    const reader = known?.reader ?? new RowReader(at, layoutAgain(layout, mapping))
    readers.set(one.batch_id, { layout, reader })
    const parts = reader.read(splitAgain(one.raw, one.row_no, layout))
    const part = parts.find(({ leg }) => leg === one.leg) ?? parts[0]
    if (part) now.set(one.id, part)
  }
  return { rows, now }
}

async function makeAgain(
  app: App,
  tx: Tx,
  actor: Actor,
  row: StrategyRow,
  { rows, now, keys }: ReadAgain & { keys: SignalKeys },
): Promise<OutputOf<typeof reprocessOriginalData>> {
  while (!(await keys.bringOn(tx.db, row)));
  const read = rows.map((one) => ({ ...one, ...readColumns(now.get(one.id) as OriginalRow) }))
  const ready = read.filter(({ signal }) => signal !== null)
  await roomForImported(tx.db, row, ready.length)
  const { drafts, made } = await madeOf(app, tx, { created_by: actor.uid }, row, ready, keys)
  const uow = new UnitOfWork(tx)
  await insertRecords(app, tx, uow, drafts)
  await uow.store()
  const outcome = new Map(made.map((one) => [one.id, one]))
  for (const { id, parsed, error, symbol, occurred_at, batch_id } of read) {
    const done = outcome.get(id)
    await tx.db
      .updateTable('original_rows')
      .set({
        ...{ parsed, symbol, occurred_at, signal: null },
        status: (done?.status ?? 'invalid') as OriginalRowRow['status'],
        error: done ? done.error : error,
        signal_id: done?.signal_id ?? null,
      })
      .where('id', '=', id)
      .where('batch_id', '=', batch_id)
      .execute()
  }
  for (const batch_id of new Set(rows.map((one) => one.batch_id))) {
    const own = drafts.filter(({ facts }) =>
      read.some((one) => one.batch_id === batch_id && outcome.get(one.id)?.signal_id === facts.id),
    ).length
    await tx.db
      .updateTable('original_batches')
      .set({ ...(await countsOf(tx.db, batch_id)) })
      .set((eb) => ({ made: eb('made', '+', own) }))
      .where('id', '=', batch_id)
      .execute()
  }
  await tx.append(actor.scope, 'strategy', { id: row.id, change: 'updated' })
  const count = (what: string) => made.filter(({ status }) => status === what).length
  return {
    taken: count('imported'),
    duplicate: count('duplicate'),
    ignored_by_rule: count('ignored_by_rule'),
    refused: read
      .filter(({ signal }) => signal === null)
      .map(({ row_no, raw, error }) => ({ row_no, raw, reason: error ?? '讀不出來' })),
  }
}
