// Everything that is the person's as one JSON file, read in pages while it is sent. No secrets: no passwords, tokens or codes.
import type { FileAnswer } from '#contract/endpoint.ts'
import { taipei } from '#trading/calendar.ts'
import type { App, Tx } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { exportOf, WHOLE } from '../signal/export.ts'
import { inOrder } from '../usage/messages.ts'
import { HOLDINGS, loadProfile, rowsOf } from './store.ts'

type Parts = Pick<App, 'config' | 'background' | 'db' | 'fold_cache' | 'log'>

/** Messages in one part: each may be of 64 KB. */
const PAGE = 20

/** The file of this person, as things stand while it is read. */
export function exportAccountOf(app: Parts, tx: Tx, uid: string): FileAnswer {
  return {
    filename: `lingbo-my-data-${taipei(tx.at).date}.json`,
    content_type: 'application/json; charset=utf-8',
    chunks: write(app, tx, uid),
  }
}

async function* write(app: Parts, tx: Tx, uid: string): AsyncGenerator<string> {
  const profile = await loadProfile(app, tx, uid)
  const head = { format: 'lingbo-account/1', exported_at: tx.at, profile }
  yield JSON.stringify(head).slice(0, -1)
  for (const holding of HOLDINGS) {
    if (holding.show.length === 0) continue
    const { rows } = await rowsOf(holding, uid).execute(tx.db)
    yield `,\n"${holding.table}":${JSON.stringify(rows)}`
  }
  yield ',\n"strategies":['
  let separator = '\n'
  for (const row of await strategiesOf(tx.db, uid)) {
    yield separator
    separator = ',\n'
    yield* strategy(app, tx, row)
  }
  yield '\n]}\n'
}

function strategiesOf(db: Db, uid: string): Promise<StrategyRow[]> {
  return db
    .selectFrom('strategies')
    .selectAll()
    .where('scope', '=', `p:${uid}`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** One strategy: its fields, its webhooks (their addresses are keys and stay out), its messages, its record with the chain. */
async function* strategy(app: Parts, tx: Tx, row: StrategyRow): AsyncGenerator<string> {
  const { scope, owner_type, owner_id, name_key, search_key, version, ...rest } = row
  const { watched_from, silent_since, ...fields } = rest
  yield JSON.stringify({ ...fields, tags: parsed(fields.tags), settings: parsed(fields.settings) }).slice(
    0,
    -1,
  )
  const webhooks = await tx.db
    .selectFrom('webhooks')
    .select(['id', 'name', 'format', 'mapping', 'enabled', 'ip_allow', 'created_at', 'deleted_at'])
    .where('strategy_id', '=', row.id)
    .orderBy('id')
    .execute()
  yield `,\n"webhooks":${JSON.stringify(webhooks)},\n"deliveries":[`
  let separator = '\n'
  for (const { id } of webhooks)
    for await (const page of deliveriesOf(tx.db, id)) {
      yield separator + page.map((delivery) => JSON.stringify(delivery)).join(',\n')
      separator = ',\n'
    }
  yield '\n],\n"record":'
  const { chunks } = await exportOf(app, tx, WHOLE, row, 'json')
  yield* chunks
  yield '}'
}

async function* deliveriesOf(db: Db, webhook_id: string) {
  for (let after = ''; ; ) {
    const from = after
    const page = await inOrder('asc', PAGE, (place) =>
      db
        .selectFrom(place)
        .select(['id', 'webhook_id', 'received_at', 'content_type'])
        .select(['body', 'body_encoding', 'outcome', 'reason'])
        .where('webhook_id', '=', webhook_id)
        .where('id', '>', from)
        .orderBy('id')
        .limit(PAGE)
        .execute(),
    )
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    after = page.at(-1)?.id as string
  }
}

function parsed(text: string): unknown {
  return JSON.parse(text)
}
