// A strategy's whole record as a file: read in pages and sent as it comes, so that its size costs no memory.

import type { FileAnswer, ParsedInputOf } from '#contract/endpoint.ts'
import type { exportSignals, SignalRecord } from '#contract/signal.ts'
import { taipei } from '#trading/calendar.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import { ASSET_FACTS } from '#trading/kinds.ts'
import { contractWord } from '#trading/products.ts'
import { isRedacted, type RecordStatus } from '#trading/record.ts'
import { ACTION_WORDS, SOURCE_WORDS, STATUS_WORDS, signalWords } from '#trading/record-words.ts'
import type { Tx } from '../context.ts'
import { type Cell, csvLineOf } from '../csv-line.ts'
import type { Db, StoredRecord, StrategyRow } from '../db/schema.ts'
import { floorOf, hashUpTo, headOf, linksOnly } from '../record/chain.ts'
import { presentSignal, RECORD_COLUMNS } from '../record/records.ts'
import { linksAfter } from '../record/trade-history.ts'
import { type RecordReader, type Redact, redactFor, type VisibilityApp } from '../record/visibility.ts'

// One record as a line of CSV for spreadsheets: RFC 4180, numbers as numbers, and no text that a spreadsheet would run (T19).

interface Column {
  title: string
  cell(record: SignalRecord): Cell
}

const STATES: Record<RecordStatus, string> = { ok: '正常', ...STATUS_WORDS }

/** A void or correction speaks of another record: what that one did is in its own line, and this one held no position. */
const ofSignal =
  (cell: Column['cell']): Column['cell'] =>
  (record) =>
    isPointer(record) ? null : cell(record)

/** Beside a void or correction of what its reader may not know of. */
const REDACTED_NOTE = '說的是可見期間之前的訊號，內容不顯示'

const COLUMNS: readonly Column[] = [
  { title: '序號', cell: (record) => record.chain_seq },
  { title: '訊號時間（台北）', cell: (record) => clock(record.occurred_at) },
  { title: '收到時間（台北）', cell: (record) => clock(record.received_at) },
  { title: '交易日', cell: (record) => record.trading_date },
  { title: '來源', cell: (record) => SOURCE_WORDS[record.source] },
  { title: '狀態', cell: ({ derived }) => STATES[derived.status] },
  { title: '代號', cell: (record) => record.symbol },
  { title: '名稱', cell: (record) => record.symbol_name },
  { title: '契約', cell: ({ contract }) => contract && contractWord(contract) },
  { title: '動作', cell: ofSignal(({ action }) => ACTION_WORDS[action]) },
  { title: '效果', cell: ofSignal(({ asset, derived }) => signalWords({ asset, ...derived }).word) },
  { title: '數量', cell: ofSignal((record) => record.quantity) },
  { title: '數量單位', cell: ofSignal(({ asset }) => ASSET_FACTS[asset].counted) },
  { title: '訊號價', cell: (record) => record.price },
  { title: '採用價', cell: ({ derived }) => derived.price_used },
  { title: '部位前', cell: ofSignal(({ derived }) => derived.position_before) },
  { title: '部位後', cell: ofSignal(({ derived }) => derived.position_after) },
  { title: '均價', cell: ({ derived }) => derived.avg_price_after },
  { title: '已實現淨損益', cell: ({ derived }) => derived.realised_pnl },
  { title: '手續費', cell: ({ derived }) => derived.fee },
  { title: '稅', cell: ({ derived }) => derived.tax },
  { title: '備註', cell: (record) => (isRedacted(record) ? REDACTED_NOTE : record.note) },
  { title: '作廢原因', cell: (record) => (record.source === 'void' ? record.reason : null) },
  { title: '來源編號', cell: (record) => record.external_id },
  { title: '紀錄編號', cell: (record) => record.id },
  { title: '對象紀錄編號', cell: (record) => record.refers_to },
  { title: '雜湊', cell: (record) => record.hash },
]

/** The first line, with its end. */
const CSV_HEAD = csvLineOf(COLUMNS.map(({ title }) => title))

/** A record's line, with its end. */
function csvLine(record: SignalRecord): string {
  return csvLineOf(COLUMNS.map(({ cell }) => cell(record)))
}

/** `2026-11-20 09:00:05.123` in Taipei, which has no summer time. */
function clock(at: string): string {
  return new Date(Date.parse(at) + 8 * 3_600_000).toISOString().slice(0, 23).replace('T', ' ')
}

/** Records in one part; a piece is as many parts as it has time for. */
const PAGE = 100

/** Whoever reads everything. */
export const WHOLE: RecordReader = { uid: '', access: null, shares: true }

/** The file of a strategy the reader has found before, as its chain stands at this moment. */
export async function exportOf(
  app: VisibilityApp,
  { db, at }: Pick<Tx, 'db' | 'at'>,
  reader: RecordReader,
  row: StrategyRow,
  format: ParsedInputOf<typeof exportSignals>['format'],
): Promise<FileAnswer> {
  const floor = await floorOf(db, reader.access, row.id)
  const pages = pagesOf(db, reader, row, floor)
  const head = await headOf(db, row)
  const { date } = taipei(at)
  // Letters of every script stay; what a file system, a header or a shell could take for something else does not.
  const name = row.name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '')
  const filename = `lingbo-${name || 'signals'}-${date}.${format}`
  if (format === 'csv') {
    const chunks = csv(pages, (records) => redactFor(app, db, reader, records))
    return { filename, content_type: 'text/csv; charset=utf-8', chunks }
  }
  const { id, kind } = row
  const top = {
    format: 'lingbo-record/1',
    exported_at: at,
    strategy: { id, name: row.name, kind },
    anchor: await hashUpTo(db, row.id, floor),
    head,
  }
  return {
    filename,
    content_type: 'application/json; charset=utf-8',
    chunks: json(top, pages),
  }
}

/** Of `older` its reader is told nothing but their links, of `redacted` no content. */
interface Page {
  rows: StoredRecord[]
  older: ReadonlySet<string>
  redacted: ReadonlySet<string>
}

async function* pagesOf(
  db: Db,
  { access }: RecordReader,
  row: StrategyRow,
  floor: number,
): AsyncGenerator<Page> {
  for (let after = floor; ; ) {
    const rows = await linksAfter(db, row, after, PAGE).select(RECORD_COLUMNS).execute()
    if (rows.length > 0) yield { rows, ...(await linksOnly(db, access, rows)) }
    if (rows.length < PAGE) return
    after = rows.at(-1)?.chain_seq as number
  }
}

type Shown = (records: readonly SignalRecord[]) => Promise<Redact>

async function* csv(found: AsyncIterable<Page>, redactOver: Shown): AsyncGenerator<string> {
  yield `\u{feff}${CSV_HEAD}`
  for await (const { rows, older } of found) {
    const records = rows.filter(({ id }) => !older.has(id)).map((row) => presentSignal(row, { edit: true }))
    const redact = await redactOver(records)
    yield records.map((record) => csvLine(redact(record))).join('')
  }
}

async function* json(top: object, found: AsyncIterable<Page>): AsyncGenerator<string> {
  yield `${JSON.stringify(top).slice(0, -1)},\n"records":[`
  let separator = '\n'
  const heads = new Map<string, { day: string; chain_seq: number; hash: string }>()
  for await (const { rows, older, redacted } of found) {
    let text = ''
    for (const { id, chain_seq, prev_hash, hash, stored_at, facts } of rows) {
      const told = older.has(id) || redacted.has(id) ? 'null' : asJson(facts)
      const { date: day } = taipei(stored_at)
      heads.set(day, { day, chain_seq, hash })
      text += `${separator}${JSON.stringify({ chain_seq, prev_hash, hash }).slice(0, -1)},"facts":${told}}`
      separator = ',\n'
    }
    yield text
  }
  yield `\n],\n"day_heads":${JSON.stringify([...heads.values()])}}\n`
}

/** The hashed text as it stands, which is JSON; what was tampered into something else travels as a text, and does not fit. */
function asJson(facts: string): string {
  try {
    const told: unknown = JSON.parse(facts)
    // null is how a record without content travels: nobody makes one of it by writing that.
    return told === null ? JSON.stringify(facts) : facts
  } catch {
    return JSON.stringify(facts)
  }
}
