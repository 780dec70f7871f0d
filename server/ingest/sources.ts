// Finds the webhooks and strategies behind the tokens of one batch, fresh from the database each time:
// what an editor changed a moment ago counts for the next message, in every process.
import type { App, Tx } from '../context.ts'
import type { StrategyRow, WebhookRow } from '../db/schema.ts'
import type { Source } from './judge.ts'
import { payloadStrategy } from './payload-strategy.ts'

export interface Found extends Source {
  row: StrategyRow
}

const ROTATED_KNOWN_MS = 30 * 86_400_000

/** Token hash → its source; unknown tokens (and those rotated away more than 30 days ago) are absent. */
export async function findSources(
  app: App,
  tx: Tx,
  token_hashes: readonly string[],
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>()
  const tokens = await tx.db
    .selectFrom('webhook_tokens')
    .select(['token_hash', 'webhook_id', 'valid_until'])
    .where('token_hash', 'in', token_hashes)
    .execute()
  if (tokens.length === 0) return found
  const webhooks = await tx.db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', 'in', unique(tokens.map((token) => token.webhook_id)))
    .execute()
  const query = tx.db
    .selectFrom('strategies')
    .selectAll()
    .where('id', 'in', unique(webhooks.map((webhook) => webhook.strategy_id)))
    .orderBy('id')
  // Two server processes on one PostgreSQL take turns at a strategy's chain; SQLite has one writer anyway.
  const strategies = await (app.engine === 'postgres' ? query.forUpdate() : query).execute()
  const webhook_of = new Map(webhooks.map((webhook) => [webhook.id, webhook]))
  const strategy_of = new Map(strategies.map((strategy) => [strategy.id, strategy]))
  const now = Date.parse(tx.at)
  for (const token of tokens) {
    const webhook = webhook_of.get(token.webhook_id)
    const row = webhook && strategy_of.get(webhook.strategy_id)
    if (!webhook || !row) continue
    const rotated = token.valid_until !== null && Date.parse(token.valid_until) <= now
    if (rotated && Date.parse(token.valid_until as string) + ROTATED_KNOWN_MS < now) continue
    found.set(token.token_hash, {
      webhook,
      row,
      strategy: payloadStrategy(row),
      closed: closedBecause(webhook, row, rotated),
    })
  }
  return found
}

/** Why nothing is taken in, or null when the door is open. */
export function closedBecause(
  webhook: WebhookRow,
  strategy: StrategyRow,
  rotated: boolean,
): Source['closed'] {
  if (strategy.deleted_at !== null || strategy.status === 'archived') return 'archived'
  if (webhook.deleted_at !== null || webhook.enabled === 0) return 'disabled'
  return rotated ? 'rotated' : null
}

const unique = (values: readonly string[]): string[] => [...new Set(values)]
