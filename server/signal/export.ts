// A strategy's whole record as a file: read in pages and sent as it comes, so that its size costs no memory.
import type { FileAnswer, ParsedInputOf } from '#contract/endpoint.ts'
import type { exportSignals, SignalRecord } from '#contract/signal.ts'
import { taipei } from '#trading/calendar.ts'
import type { Tx } from '../context.ts'
import type { Db, StoredRecord, StrategyRow } from '../db/schema.ts'
import { floorOf, hashUpTo, headOf, linksAfter, linksOnly } from '../record/chain.ts'
import { presentSignal } from '../record/present.ts'
import { type RecordReader, type Veil, type VeilApp, veilOf } from '../record/veil.ts'
import { CSV_HEAD, csvLine } from './csv.ts'

/** Records in one part; a piece is as many parts as it has time for. */
const PAGE = 100

/** Whoever reads everything. */
export const WHOLE: RecordReader = { uid: '', access: null, shares: true }

/** The file of a strategy the reader has found before, as its chain stands at this moment. */
export async function exportOf(
  app: VeilApp,
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
    const chunks = csv(pages, (records) => veilOf(app, db, reader, records))
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

/** Of `older` its reader is told nothing but their links, of `blind` no content. */
interface Page {
  rows: StoredRecord[]
  older: ReadonlySet<string>
  blind: ReadonlySet<string>
}

async function* pagesOf(
  db: Db,
  { access }: RecordReader,
  row: StrategyRow,
  floor: number,
): AsyncGenerator<Page> {
  for (let after = floor; ; ) {
    const rows = await linksAfter(db, row, after, PAGE).selectAll().execute()
    if (rows.length > 0) yield { rows, ...(await linksOnly(db, access, rows)) }
    if (rows.length < PAGE) return
    after = rows.at(-1)?.chain_seq as number
  }
}

type Shown = (records: readonly SignalRecord[]) => Promise<Veil>

async function* csv(found: AsyncIterable<Page>, veilOver: Shown): AsyncGenerator<string> {
  yield `\u{feff}${CSV_HEAD}`
  for await (const { rows, older } of found) {
    const records = rows.filter(({ id }) => !older.has(id)).map((row) => presentSignal(row, { edit: true }))
    const veil = await veilOver(records)
    yield records.map((record) => csvLine(veil(record))).join('')
  }
}

async function* json(top: object, found: AsyncIterable<Page>): AsyncGenerator<string> {
  yield `${JSON.stringify(top).slice(0, -1)},\n"records":[`
  let separator = '\n'
  const heads = new Map<string, { day: string; chain_seq: number; hash: string }>()
  for await (const { rows, older, blind } of found) {
    let text = ''
    for (const { id, chain_seq, prev_hash, hash, stored_at, facts } of rows) {
      const told = older.has(id) || blind.has(id) ? 'null' : asJson(facts)
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
