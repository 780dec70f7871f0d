// A strategy's whole record as a file: read in pages and sent as it comes, so that its size costs no memory.
import type { FileAnswer, ParsedInputOf } from '#contract/endpoint.ts'
import type { exportSignals } from '#contract/signal.ts'
import { taipei } from '#trading/calendar.ts'
import type { Db, SignalRow, StrategyRow } from '../db/schema.ts'
import { hashUpTo, headOf } from './chain.ts'
import { CSV_HEAD, csvLine } from './csv.ts'

/** Records in one piece: what others wait for at most. */
const PAGE = 200

/** The file of a strategy the caller has found before, as its chain stands at this moment, after place `floor`. */
export async function exportOf(
  db: Db,
  row: StrategyRow,
  format: ParsedInputOf<typeof exportSignals>['format'],
  at: string,
  floor: number,
): Promise<FileAnswer> {
  const head = await headOf(db, row)
  const { date } = taipei(at)
  // Letters of every script stay; what a file system, a header or a shell could take for something else does not.
  const name = row.name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '')
  const filename = `lingbo-${name || 'signals'}-${date}.${format}`
  if (format === 'csv')
    return { filename, content_type: 'text/csv; charset=utf-8', chunks: csv(pages(db, row, floor)) }
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
    chunks: json(top, pages(db, row, floor)),
  }
}

async function* pages(db: Db, row: StrategyRow, floor: number): AsyncGenerator<SignalRow[]> {
  for (let after = floor; ; ) {
    const found = await db
      .selectFrom('signals')
      .selectAll()
      .where('strategy_id', '=', row.id)
      .where('chain_seq', '>', after)
      .where('chain_seq', '<=', row.chain_seq)
      .orderBy('chain_seq')
      .limit(PAGE)
      .execute()
    if (found.length > 0) yield found
    if (found.length < PAGE) return
    after = found.at(-1)?.chain_seq as number
  }
}

async function* csv(found: AsyncIterable<SignalRow[]>): AsyncGenerator<string> {
  yield `\u{feff}${CSV_HEAD}`
  for await (const page of found) yield page.map(csvLine).join('')
}

async function* json(top: object, found: AsyncIterable<SignalRow[]>): AsyncGenerator<string> {
  yield `${JSON.stringify(top).slice(0, -1)},\n"records":[`
  let separator = '\n'
  const heads = new Map<string, { day: string; chain_seq: number; hash: string }>()
  for await (const page of found) {
    let text = ''
    for (const { chain_seq, prev_hash, hash, stored_at, facts } of page) {
      const { date: day } = taipei(stored_at)
      heads.set(day, { day, chain_seq, hash })
      text += `${separator}${JSON.stringify({ chain_seq, prev_hash, hash }).slice(0, -1)},"facts":${asJson(facts)}}`
      separator = ',\n'
    }
    yield text
  }
  yield `\n],\n"day_heads":${JSON.stringify([...heads.values()])}}\n`
}

/** The hashed text as it stands, which is JSON; what was tampered into something else travels as a text, and does not fit. */
function asJson(facts: string): string {
  try {
    JSON.parse(facts)
    return facts
  } catch {
    return JSON.stringify(facts)
  }
}
