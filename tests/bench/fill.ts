// Very many records without sending them: copies of one real record, written by the database itself while no server runs.
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

const STEP = 500_000

/**
 * Makes `count` more records out of the newest one, each a second later, in the SQLite file of a stopped server. They are for
 * reading: their chain of hashes does not hold. Gives the milliseconds it took.
 */
export function fillSignals(data_dir: string, count: number): number {
  const began = performance.now()
  const db = new Sqlite(join(data_dir, 'lingbo.db'))
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -400000')
  const columns = (db.pragma('table_info(signals)') as { name: string }[]).map(({ name }) => name)
  const moment = (name: string) =>
    `strftime('%Y-%m-%dT%H:%M:%S.000Z', julianday(s.${name}) + (n.value + 1) / 86400.0)`
  const changed: Record<string, string> = {
    id: "printf('01a00000-0000-7000-8000-%012x', s.seq + n.value + 1)",
    seq: 's.seq + n.value + 1',
    chain_seq: 's.chain_seq + n.value + 1',
    delivery_id: 'null',
    // of each its own number, and nothing of a message
    ...{ event_count: '1', source_ip: 'null', dedupe_key: 'null', normal: 'null', body: 'null' },
    occurred_at: moment('occurred_at'),
    received_at: moment('received_at'),
    stored_at: moment('stored_at'),
  }
  const values = columns.map((name) => changed[name] ?? `s.${name}`).join(', ')
  const add = db.prepare(`
    with recursive n(value) as (select ? union all select value + 1 from n where value + 1 < ?)
    insert into signals (${columns.join(', ')})
    select ${values} from n cross join (select * from signals where seq = ?) s`)
  const { seq } = db.prepare('select max(seq) as seq from signals').get() as { seq: number }
  for (let from = 0; from < count; from += STEP) add.run(from, Math.min(from + STEP, count), seq)
  db.prepare('update counters set seq = seq + ?').run(count)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  return performance.now() - began
}
