// A webhook belongs to whoever may edit its strategy; nobody else learns that it exists.
import { isIP } from 'node:net'
import { ApiError, invalid } from '#contract/errors.ts'
import type { Actor, App } from '../context.ts'
import type { Db, StrategyRow, WebhookRow } from '../db/schema.ts'
import { type Authorized, findStrategy, holdStrategy, visibleStrategies } from './strategies.ts'

/** A webhook of a strategy the actor sees; 4040 else. */
export async function findWebhook(db: Db, actor: Actor, id: string): Promise<WebhookRow> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('strategy_id', 'in', visibleStrategies(db, actor).select('strategies.id'))
    .executeTakeFirst()
  if (!row) throw new ApiError(4040)
  return row
}

/** A webhook the actor sees, with its strategy as it stands. */
export async function seenWebhook(
  db: Db,
  actor: Actor,
  id: string,
): Promise<{ webhook: WebhookRow; strategy: StrategyRow }> {
  const webhook = await findWebhook(db, actor, id)
  return { webhook, strategy: await findStrategy(db, actor, webhook.strategy_id) }
}

/** A webhook the actor may change, its strategy locked until the transaction ends. */
export async function holdWebhook(
  app: Pick<App, 'engine' | 'now'>,
  db: Db,
  actor: Actor,
  id: string,
): Promise<{ webhook: Authorized<WebhookRow>; strategy: Authorized<StrategyRow> }> {
  const { strategy_id } = await findWebhook(db, actor, id)
  const strategy = await holdStrategy(app, db, actor, strategy_id, 'strategy:edit')
  // Read again behind the lock: another change may have come first.
  return { webhook: (await findWebhook(db, actor, id)) as Authorized<WebhookRow>, strategy }
}

/** 4220 for an entry that no address can match: it would shut every sender out without a word. */
export function checkIpList(list: readonly string[]): void {
  const problems = list.flatMap((entry, i) => {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address)
    const fits = family !== 0 && (prefix === undefined || Number(prefix) <= (family === 4 ? 32 : 128))
    return fits ? [] : [[`ip_allow.${i}`, '請填 IP 或 CIDR，例如 52.89.214.238'] as const]
  })
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
}
