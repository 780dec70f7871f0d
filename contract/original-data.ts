// 原始資料: rows of XQ's files as they came, before rules and folding, and the files that brought them (domain §8.3).
import * as z from 'zod/mini'
import { COLUMN_FIELDS, type ColumnMapping, FILE_ENCODINGS } from '#trading/original/shape.ts'
import { endpoint } from './endpoint.ts'
import { amount, at, day, growing_query, id, plain_name, seen } from './fields.ts'

const ORIGINAL_SOURCES = ['csv', 'paste', 'webhook', 'manual'] as const
const ORIGINAL_STATUSES = ['imported', 'duplicate', 'ignored_by_rule', 'invalid', 'pending'] as const
export type OriginalStatus = (typeof ORIGINAL_STATUSES)[number]
/** Rows read again in one call. */
const REPROCESS_MOST = 200
/** Rows of a preview (domain §8.3), and refused ones that an answer names. */
export const PREVIEW_ROWS = 50
const REFUSED_MOST = 200

const parsed_row = z.object({
  symbol: z.nullable(z.string()),
  name: z.nullable(z.string()),
  action: z.nullable(z.string()),
  price: z.nullable(amount()),
  quantity: z.nullable(z.number()),
  /** 張, of what the market traded. */
  volume: z.nullable(z.number()),
  time: z.nullable(at()),
  note: z.nullable(z.string()),
})

const leg = z.nullable(z.enum(['entry', 'exit']))
const original_row = z.object({
  id: id(),
  strategy_id: id(),
  batch_id: id(),
  source: z.enum(ORIGINAL_SOURCES),
  file_name: z.string(),
  encoding: z.string(),
  row_no: z.number(),
  leg,
  raw_text: z.string(),
  parsed: z.nullable(parsed_row),
  status: z.enum(ORIGINAL_STATUSES),
  error: z.nullable(z.string()),
  signal_id: z.nullable(id()),
  received_at: at(),
})
export type OriginalDataRow = z.infer<typeof original_row>

const counts = z.object({
  imported: z.number(),
  duplicate: z.number(),
  ignored_by_rule: z.number(),
  invalid: z.number(),
  pending: z.number(),
})

const original_batch = z.object({
  id: id(),
  source: z.enum(ORIGINAL_SOURCES),
  file_name: z.string(),
  encoding: z.string(),
  size: z.number(),
  /** `importing`: its signals are not there yet; `deleting`: they are being voided. */
  state: z.enum(['importing', 'done', 'deleting']),
  counts,
  created_at: at(),
  done_at: z.nullable(at()),
})
export type OriginalBatch = z.infer<typeof original_batch>

export const listOriginalData = endpoint({
  name: 'original-data.list',
  method: 'GET',
  path: '/strategies/:id/stock-original-data',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '原始資料：匯入的每一列與匯入過的檔案；format=csv 匯出',
  input: z.object({
    id: id(),
    batch_id: z.optional(id()),
    status: z.optional(z.enum(ORIGINAL_STATUSES)),
    symbol: z.optional(z.string().check(z.maxLength(20), seen())),
    /** Days of the rows' own time, in Taipei, both included. */
    from: z.optional(day()),
    to: z.optional(day()),
    format: z.optional(z.enum(['json', 'csv'])),
    ...growing_query,
  }),
  output: z.object({
    items: z.array(original_row),
    next_before: z.nullable(z.string()),
    /** The newest first. */
    batches: z.array(original_batch),
  }),
})

/** What its columns hold, as JSON in the address: the body is the file. */
const mapping = z.pipe(
  z.string().check(z.maxLength(4_000)),
  z.transform((text, context): ColumnMapping => {
    const read = readMapping(text)
    if (read) return read
    context.issues.push({ code: 'custom', message: '欄位對應讀不出來', input: text })
    return z.NEVER
  }),
)

function readMapping(text: string): ColumnMapping | null {
  try {
    return columnMapping(JSON.parse(text))
  } catch {
    // Not JSON: the caller says so.
    return null
  }
}

/** The mapping in what a strategy stores or a caller sends; what is no column's name is left out. */
export function columnMapping(value: unknown): ColumnMapping | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const given = value as Record<string, unknown>
  return Object.fromEntries(
    COLUMN_FIELDS.flatMap((field) => {
      const source = given[field]
      return typeof source === 'string' && source.length <= 100 ? [[field, source]] : []
    }),
  )
}

export const importOriginalData = endpoint({
  name: 'original-data.import',
  method: 'POST',
  path: '/strategies/:id/stock-original-data',
  who: 'strategy:edit',
  when_offline: 'fail',
  body: 'file',
  reads: ({ dry_run }) => dry_run === true,
  about:
    '匯入 XQ 的檔案（CSV、TXT、LOG；UTF-8 或 Big5；10 MB、20,000 筆以內）：本文就是檔案，其他欄位在網址；dry_run=true 只試算',
  input: z.object({
    id: id(),
    file: z.custom<Uint8Array<ArrayBuffer>>(
      (value) => value instanceof Uint8Array && value.length > 0,
      '請選一個檔案，檔案不能是空的',
    ),
    name: z._default(plain_name(200, '檔名看不出是什麼，請改檔名'), '未命名的檔案'),
    source: z._default(z.enum(['csv', 'paste']), 'csv'),
    /** Left out: as the strategy says. */
    encoding: z.optional(z.enum(FILE_ENCODINGS)),
    mapping: z.optional(mapping),
    dry_run: z._default(z.stringbool(), false),
  }),
  output: z.object({
    batch_id: z.nullable(id()),
    /** Signals that it makes; of a closed trade two. */
    taken: z.number(),
    duplicate: z.number(),
    ignored_by_rule: z.number(),
    refused_count: z.number(),
    refused: z
      .array(z.object({ row_no: z.number(), raw: z.string(), reason: z.string() }))
      .check(z.maxLength(REFUSED_MOST)),
    preview: z.array(
      z.object({
        row_no: z.number(),
        leg,
        raw: z.string(),
        parsed: z.nullable(parsed_row),
        status: z.enum(['new', 'duplicate', 'ignored_by_rule', 'invalid']),
        error: z.nullable(z.string()),
      }),
    ),
    encoding: z.string(),
    delimiter: z.nullable(z.string()),
    layout: z.enum(['table', 'trades', 'lines']),
    columns: z.array(z.object({ name: z.string(), field: z.nullable(z.enum(COLUMN_FIELDS)) })),
  }),
})

export const reprocessOriginalData = endpoint({
  name: 'original-data.reprocess',
  method: 'POST',
  path: '/strategies/:id/stock-original-data/reprocess',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: `錯誤或還沒處理的列照現在的設定重新讀一次，一次最多 ${REPROCESS_MOST} 列`,
  input: z.object({
    id: id(),
    row_ids: z
      .array(id())
      .check(
        z.minLength(1, '請選要重新處理的列'),
        z.maxLength(REPROCESS_MOST, `一次最多 ${REPROCESS_MOST} 列`),
      ),
  }),
  output: z.object({
    taken: z.number(),
    duplicate: z.number(),
    ignored_by_rule: z.number(),
    refused: z.array(z.object({ row_no: z.number(), raw: z.string(), reason: z.string() })),
  }),
})

export const deleteOriginalBatch = endpoint({
  name: 'original-data.delete-batch',
  method: 'DELETE',
  path: '/strategies/:id/stock-original-data/:batch_id',
  who: 'strategy:edit',
  when_offline: 'fail',
  about: '刪除匯入的一個檔案：它的訊號全部作廢，列不再保留',
  input: z.object({ id: id(), batch_id: id() }),
  /** Signals that are voided, and rows that go. */
  output: z.object({ voided: z.number(), rows: z.number() }),
})
