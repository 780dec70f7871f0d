// 原始資料 as it is stored and shown: files, their rows, and the room they take.

import type { FileAnswer, ParsedInputOf } from '#contract/endpoint.ts'
import type { listOriginalData, OriginalBatch, OriginalDataRow } from '#contract/original-data.ts'
import { addDays, instantOf, taipei } from '#trading/calendar.ts'
import type { OriginalRow } from '#trading/original/rows.ts'
import type { Facts } from '#trading/record.ts'
import type { App } from '../context.ts'
import { csvLineOf } from '../csv-line.ts'
import { bulkInsert } from '../db/bulk.ts'
import type { Db, OriginalBatchRow, OriginalRowRow, StrategyRow } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { pieceTime } from '../limits/fair-queue.ts'

// Which signals of a strategy are there already: what a row of a file would say once more (domain §8.3).

/** Records read at a time. */
const KEYS_PAGE = 500

/** Strategy, symbol, action, time to the second and price say which signal it is. */
export function keyOf({
  symbol,
  action,
  occurred_at,
  price,
}: Pick<Facts, 'symbol' | 'action' | 'occurred_at' | 'price'>): string {
  return `${symbol} ${action} ${Math.floor(Date.parse(occurred_at) / 1000)} ${price ?? ''}`
}

/** Standing signals by their keys, as far as a record of the chain. What was voided stands no more. */
export class SignalKeys {
  /** One id, hardly ever more: a set for each would be most of what a long strategy takes here. */
  readonly #by_key = new Map<string, string | string[]>()
  readonly #by_id = new Map<string, string>()
  #chain_seq = 0

  /** All of a strategy, in pieces. */
  static async of(
    app: Pick<App, 'db' | 'background'>,
    row: StrategyRow,
    account: string,
  ): Promise<SignalKeys> {
    const keys = new SignalKeys()
    for (let more = true; more; )
      more = await app.background.piece(
        account,
        async () => {
          const over = pieceTime()
          while (await keys.#page(app.db, row)) if (over()) return true
          return false
        },
        'import',
      )
    return keys
  }

  /** Takes in what came since; false when it was too much for one transaction. */
  async bringOn(db: Db, row: StrategyRow): Promise<boolean> {
    for (let pages = 0; pages < 4; pages++) if (!(await this.#page(db, row))) return true
    return false
  }

  /** The signal that says the same, null when none does. */
  find(of: Parameters<typeof keyOf>[0]): string | null {
    const ids = this.#by_key.get(keyOf(of)) ?? []
    return typeof ids === 'string' ? ids : (ids[0] ?? null)
  }

  /** A signal that is about to be made. */
  add(id: string, of: Parameters<typeof keyOf>[0]): void {
    const key = keyOf(of)
    const ids = this.#by_key.get(key)
    this.#by_key.set(key, ids === undefined ? id : [ids, id].flat())
    this.#by_id.set(id, key)
  }

  async #page(db: Db, { id, chain_seq }: StrategyRow): Promise<boolean> {
    const rows = await db
      .selectFrom('signals')
      .select(['id', 'chain_seq', 'source', 'refers_to', 'facts'])
      .where('strategy_id', '=', id)
      .where('chain_seq', '>', this.#chain_seq)
      .where('chain_seq', '<=', chain_seq)
      .orderBy('chain_seq')
      .limit(KEYS_PAGE)
      .execute()
    for (const one of rows) {
      this.#chain_seq = one.chain_seq
      if (one.source === 'void' && one.refers_to !== null) this.#drop(one.refers_to)
      else if (one.source !== 'correction' && !this.#by_id.has(one.id))
        this.add(one.id, JSON.parse(one.facts) as Facts)
    }
    return rows.length === KEYS_PAGE
  }

  #drop(id: string): void {
    const key = this.#by_id.get(id)
    if (key === undefined) return
    const left = [this.#by_key.get(key) ?? []].flat().filter((one) => one !== id)
    if (left.length === 0) this.#by_key.delete(key)
    else this.#by_key.set(key, left)
  }
}

export const ROWS = bulkInsert('original_rows', {
  id: 'text',
  strategy_id: 'text',
  batch_id: 'text',
  place: 'integer',
  row_no: 'integer',
  leg: 'text',
  raw: 'text',
  parsed: 'text',
  signal: 'text',
  status: 'text',
  error: 'text',
  signal_id: 'text',
  symbol: 'text',
  occurred_at: 'text',
})

/** What is to be made of a row, as it waits in the database. */
export type Waiting = Pick<OriginalRow, 'signal' | 'flags'>

/** A row as it is stored before its signal is made; no text column of PostgreSQL takes a NUL. */
export function rowOf(
  { id: batch_id, strategy_id }: Pick<OriginalBatchRow, 'id' | 'strategy_id'>,
  row: OriginalRow,
  place: number,
): OriginalRowRow {
  const { signal, flags, parsed, error } = row
  return {
    id: newId(),
    strategy_id,
    batch_id,
    place,
    row_no: row.row_no,
    leg: row.leg,
    raw: withoutNul(row.raw),
    ...readColumns({ signal, flags, parsed, error }),
    status: signal === null ? 'invalid' : 'pending',
    signal_id: null,
  }
}

/** What of a row follows from reading it. */
export function readColumns({
  signal,
  flags,
  parsed,
  error,
}: Pick<OriginalRow, 'signal' | 'flags' | 'parsed' | 'error'>) {
  return {
    parsed: parsed === null ? null : withoutNul(JSON.stringify(parsed)),
    signal: signal === null ? null : withoutNul(JSON.stringify({ signal, flags } satisfies Waiting)),
    error: error === null ? null : withoutNul(error),
    symbol: parsed?.symbol == null ? null : withoutNul(parsed.symbol.slice(0, 40)),
    occurred_at: parsed?.time ?? null,
  }
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '␀').replaceAll('\\u0000', '␀')
}

/** Bytes that a row takes, about. */
export function bytesOf({ raw, parsed, error }: Pick<OriginalRow, 'raw' | 'parsed' | 'error'>): number {
  const said = parsed === null ? '' : JSON.stringify(parsed)
  return Buffer.byteLength(raw) + Buffer.byteLength(said) + Buffer.byteLength(error ?? '') + 200
}

/** The files of a strategy, the newest first. */
export async function batchesOf(db: Db, strategy_id: string): Promise<OriginalBatch[]> {
  const rows = await db
    .selectFrom('original_batches')
    .selectAll()
    .where('strategy_id', '=', strategy_id)
    .where('state', 'in', ['importing', 'done', 'deleting'])
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, source, file_name, encoding, size, state, created_at, done_at, ...row }) => {
    const { imported, duplicate, ignored_by_rule, invalid, pending } = row
    return {
      ...{ id, source, file_name, encoding, size, created_at, done_at },
      state: state as OriginalBatch['state'],
      counts: { imported, duplicate, ignored_by_rule, invalid, pending },
    }
  })
}

type Query = ParsedInputOf<typeof listOriginalData>
type Found = OriginalRowRow & Pick<OriginalBatchRow, 'source' | 'file_name' | 'encoding' | 'created_at'>

function found(db: Db, query: Query) {
  let rows = db
    .selectFrom('original_rows as row')
    .innerJoin('original_batches as batch', 'batch.id', 'row.batch_id')
    .selectAll('row')
    .select(['batch.source', 'batch.file_name', 'batch.encoding', 'batch.created_at'])
    .where('row.strategy_id', '=', query.id)
    // Of a file that is still coming in nothing shows, nor of one that goes.
    .where('batch.state', '=', 'done')
  if (query.batch_id !== undefined) rows = rows.where('row.batch_id', '=', query.batch_id)
  if (query.status !== undefined) rows = rows.where('row.status', '=', query.status)
  if (query.symbol) rows = rows.where('row.symbol', '=', query.symbol.toUpperCase())
  if (query.from !== undefined) rows = rows.where('row.occurred_at', '>=', instantOf(query.from, '00:00'))
  if (query.to !== undefined)
    rows = rows.where('row.occurred_at', '<', instantOf(addDays(query.to, 1), '00:00'))
  return rows
}

/** Rows behind a cursor, which is the id of the last one that was shown. */
export async function rowsOf(
  db: Db,
  query: Query,
): Promise<{ items: OriginalDataRow[]; next_before: string | null }> {
  let rows = found(db, query)
  if (query.before !== undefined) rows = rows.where('row.id', '<', query.before)
  const some = await rows
    .orderBy('row.id', 'desc')
    .limit(query.limit + 1)
    .execute()
  const items = some.slice(0, query.limit).map(shown)
  return { items, next_before: some.length > query.limit ? (items.at(-1)?.id ?? null) : null }
}

function shown(row: Found): OriginalDataRow {
  const { id, strategy_id, batch_id, source, file_name, encoding, row_no, leg, status, error } = row
  return {
    ...{ id, strategy_id, batch_id, source, file_name, encoding, row_no, leg, status, error },
    raw_text: row.raw,
    parsed: row.parsed === null ? null : JSON.parse(row.parsed),
    signal_id: row.signal_id,
    received_at: row.created_at,
  }
}

const HEAD = [
  '檔案',
  '行',
  '原始內容',
  '代號',
  '動作',
  '價格',
  '時間',
  '狀態',
  '原因',
  '訊號編號',
  '匯入時間',
]
const STATUS_WORDS = {
  imported: '已匯入',
  duplicate: '重複',
  ignored_by_rule: '依規則忽略',
  invalid: '錯誤',
  pending: '待處理',
} as const
const PAGE = 200

/** The same rows as a file, in the order they came. */
export function csvOf({ now }: Pick<App, 'now'>, db: Db, query: Query, name: string): FileAnswer {
  async function* chunks() {
    yield `\u{feff}${csvLineOf(HEAD)}`
    for (let after = ''; ; ) {
      const rows = await found(db, query).where('row.id', '>', after).orderBy('row.id').limit(PAGE).execute()
      yield rows
        .map((row) => {
          const { raw_text, parsed, status, error, signal_id, received_at, file_name, row_no } = shown(row)
          const { symbol, action, price, time } = parsed ?? {
            symbol: null,
            action: null,
            price: null,
            time: null,
          }
          const said = [raw_text, symbol, action, price, time, STATUS_WORDS[status], error, signal_id]
          return csvLineOf([file_name, row_no, ...said, received_at])
        })
        .join('')
      if (rows.length < PAGE) return
      after = rows.at(-1)?.id ?? ''
    }
  }
  const { date } = taipei(new Date(now()).toISOString())
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '')
  return {
    filename: `lingbo-${plain || 'original'}-original-${date}.csv`,
    content_type: 'text/csv; charset=utf-8',
    chunks: chunks(),
  }
}
