// What a file of XQ may be, and what its columns may hold (domain §8.3). Without the splitter of rows beside it,
// which pages do without.

export const FILE_ENCODINGS = ['auto', 'utf-8', 'big5'] as const
/** `auto`: UTF-8 where all of it is, else Big5. */
export type AskedEncoding = (typeof FILE_ENCODINGS)[number]
export type FileEncoding = Exclude<AskedEncoding, 'auto'>

/** What one import may bring (ruling C2), and how long a row may be. */
export const ORIGINAL_FILE_BYTES = 10 * 1024 * 1024
export const ORIGINAL_ROWS = 20_000
export const ORIGINAL_ROW_CHARS = 2_000

/** What a column may hold. A row of trades is one that is over: it has an entry and an exit. */
export const COLUMN_FIELDS = [
  'symbol',
  'name',
  'action',
  'trigger',
  'price',
  'quantity',
  'date',
  'time',
  'volume',
  'note',
  'entry_time',
  'entry_side',
  'entry_price',
  'exit_time',
  'exit_side',
  'exit_price',
] as const
export type ColumnField = (typeof COLUMN_FIELDS)[number]
/** Which column holds a field: what its header says, or `#3` for the third. '' = none does. */
export type ColumnMapping = Partial<Record<ColumnField, string>>

/** Said to the person; nothing of such a file is taken. */
export class FileFault extends Error {}
