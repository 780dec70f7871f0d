// Finds the webhooks and strategies behind the tokens of one batch, fresh from the database each time:
// what an editor changed a moment ago counts for the next message, in every process.
import type { App, Tx } from '../context.ts'
import { compiled } from '../db/bulk.ts'
import type { Db, StrategyRow, WebhookRow } from '../db/schema.ts'
import { closedDays } from '../record/calendar.ts'
import { payloadStrategy, type WebhookSource } from './judge.ts'

export interface FoundSource extends WebhookSource {
  row: StrategyRow
}

const ROTATED_KNOWN_MS = 30 * 86_400_000

/** Token hash → its source; unknown tokens (and those rotated away more than 30 days ago) are absent. */
export async function findSources(
  app: App,
  tx: Tx,
  token_hashes: readonly string[],
): Promise<Map<string, FoundSource>> {
  const found = new Map<string, FoundSource>()
  const read = app.engine === 'postgres' ? joined : byKey
  const now = Date.parse(tx.at)
  const closed_days = closedDays(app)
  const behind = await read(tx.db, token_hashes)
  const readBy = await app.intake.formats.of(
    tx.db,
    behind.map(({ webhook }) => webhook),
  )
  for (const { token_hash, valid_until, webhook, strategy: row } of behind) {
    const rotated = valid_until !== null && Date.parse(valid_until) <= now
    if (isForgotten(valid_until, now)) continue
    found.set(token_hash, {
      webhook,
      row,
      strategy: payloadStrategy(row),
      ...readBy(webhook),
      closed: closedBecause(webhook, row, rotated),
      closed_days,
    })
  }
  return found
}

/** Whether an address was replaced so long ago that it is no address any more. */
export function isForgotten(valid_until: string | null, now_ms: number): boolean {
  return valid_until !== null && Date.parse(valid_until) + ROTATED_KNOWN_MS < now_ms
}

interface Behind {
  token_hash: string
  valid_until: string | null
  webhook: WebhookRow
  strategy: StrategyRow
}

const JOINED = `select t.token_hash, t.valid_until, row_to_json(w) as webhook, row_to_json(s) as strategy
  from webhook_tokens as t join webhooks as w on w.id = t.webhook_id join strategies as s on s.id = w.strategy_id
  where t.token_hash = any($1::text[]) order by s.id for update of s`

/** In one journey. Two server processes on one PostgreSQL take turns at a strategy's chain, in the order of their ids. */
async function joined(db: Db, token_hashes: readonly string[]): Promise<Behind[]> {
  return (await db.executeQuery<Behind>(compiled(JOINED, [token_hashes]))).rows
}

/** For SQLite, where a question costs nothing and there is one writer anyway. */
async function byKey(db: Db, token_hashes: readonly string[]): Promise<Behind[]> {
  const tokens = await db
    .selectFrom('webhook_tokens')
    .select(['token_hash', 'webhook_id', 'valid_until'])
    .where('token_hash', 'in', token_hashes)
    .execute()
  if (tokens.length === 0) return []
  const webhooks = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', 'in', unique(tokens.map((token) => token.webhook_id)))
    .execute()
  const strategies = await db
    .selectFrom('strategies')
    .selectAll()
    .where('id', 'in', unique(webhooks.map((webhook) => webhook.strategy_id)))
    .execute()
  const webhook_of = new Map(webhooks.map((webhook) => [webhook.id, webhook]))
  const strategy_of = new Map(strategies.map((strategy) => [strategy.id, strategy]))
  return tokens.flatMap(({ token_hash, webhook_id, valid_until }) => {
    const webhook = webhook_of.get(webhook_id)
    const strategy = webhook && strategy_of.get(webhook.strategy_id)
    return webhook && strategy ? [{ token_hash, valid_until, webhook, strategy }] : []
  })
}

/** Why nothing is taken in, or null when the door is open. */
function closedBecause(
  webhook: WebhookRow,
  strategy: StrategyRow,
  rotated: boolean,
): WebhookSource['closed'] {
  if (strategy.deleted_at !== null || strategy.status === 'archived') return 'archived'
  if (webhook.deleted_at !== null || webhook.enabled === 0) return 'disabled'
  return rotated ? 'rotated' : null
}

const unique = (values: readonly string[]): string[] => [...new Set(values)]
