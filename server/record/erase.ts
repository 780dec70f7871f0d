// What becomes of strategies that go for good. With their organization or their owner's account everything that names them goes, and
// of a strategy and its webhooks an empty row stays, so that their addresses can say 410 (ruling C9). Deleted by itself, no row stays.
import type { Tx } from '../context.ts'
import type { Db, Schema, StrategyRow, WebhookRow } from '../db/schema.ts'
import { enqueue } from '../jobs/table.ts'

type Fate = 'blank' | 'keep'
type Blank<F> = { [K in keyof F]: F[K] extends 'blank' ? K : never }[keyof F]

/** Kept is what tells whose row it was and since when it is closed; a hash tells nothing without what it was made of. */
export const OF_STRATEGY = {
  ...{ id: 'keep', kind: 'keep', scope: 'keep', owner_type: 'keep', owner_id: 'keep' },
  ...{ status: 'keep', version: 'keep', rules_version: 'keep', chain_seq: 'keep', chain_hash: 'keep' },
  ...{ shown_seq: 'keep', shown_hash: 'keep' },
  ...{ created_by: 'keep', created_at: 'keep', updated_at: 'keep', deleted_at: 'keep' },
  ...{
    name: 'blank',
    name_key: 'blank',
    search_key: 'blank',
    summary: 'blank',
    note: 'blank',
    tags: 'blank',
  },
  // How it traded is as much of it as what it was called.
  ...{ direction: 'blank', trade_style: 'blank', timeframe: 'blank', initial_capital: 'blank' },
  ...{ quantity_mode: 'blank', default_quantity: 'blank', max_position: 'blank', allow_pyramiding: 'blank' },
  ...{ allow_reversal: 'blank', slippage_ticks: 'blank', stop_loss: 'blank', take_profit: 'blank' },
  ...{ late_after_s: 'blank', on_symbol_mismatch: 'blank', silence_alarm: 'blank', settings: 'blank' },
  ...{ watched_from: 'blank', silent_since: 'blank' },
} as const satisfies Record<keyof StrategyRow, Fate>

const EMPTY_STRATEGY: Pick<StrategyRow, Blank<typeof OF_STRATEGY>> = {
  ...{ name: '', name_key: '', search_key: '', summary: '', note: '', tags: '[]' },
  ...{ direction: 'both', trade_style: null, timeframe: null, initial_capital: 0 },
  ...{ quantity_mode: 'signal', default_quantity: 0, max_position: 0, allow_pyramiding: 0 },
  ...{ allow_reversal: 0, slippage_ticks: 0, stop_loss: null, take_profit: null },
  ...{ late_after_s: 0, on_symbol_mismatch: 'reject', silence_alarm: '{}', settings: '{}' },
  ...{ watched_from: null, silent_since: null },
}

export const OF_WEBHOOK = {
  ...{ id: 'keep', strategy_id: 'keep', enabled: 'keep' },
  ...{ created_at: 'keep', updated_at: 'keep', deleted_at: 'keep' },
  ...{ name: 'blank', token_cipher: 'blank', format: 'blank', mapping: 'blank', secret_hash: 'blank' },
  ...{ ip_allow: 'blank', unparsed_rule: 'blank', old_url_until: 'blank', refused_bytes: 'blank' },
  ...{ signal_bytes: 'blank', kept: 'blank', let_go: 'blank' },
  ...{ accepted: 'blank', late: 'blank', duplicate: 'blank', ignored: 'blank', rejected: 'blank' },
  ...{ mismatch: 'blank', last_accepted_at: 'blank', last_rejected_at: 'blank', last_duplicate_at: 'blank' },
  ...{ last_heard_at: 'blank', sequence: 'blank', held: 'blank', formats_rev: 'blank' },
  ...{ formats_grace_until: 'blank', formats_due: 'blank', formats_used: 'blank', asked_at: 'blank' },
} as const satisfies Record<keyof WebhookRow, Fate>

const EMPTY_WEBHOOK: Pick<WebhookRow, Blank<typeof OF_WEBHOOK>> = {
  ...{ name: '', token_cipher: '', format: '', mapping: null, secret_hash: null },
  ...{ ip_allow: '[]', unparsed_rule: null, old_url_until: null, refused_bytes: 0 },
  ...{ signal_bytes: 0, kept: 0, let_go: '' },
  ...{ accepted: 0, late: 0, duplicate: 0, ignored: 0, rejected: 0 },
  ...{ mismatch: 0, last_accepted_at: null, last_rejected_at: null, last_duplicate_at: null },
  ...{ last_heard_at: null, sequence: null, held: 0, formats_rev: 0 },
  ...{ formats_grace_until: null, formats_due: 0, formats_used: '[]', asked_at: null },
}

/** A table whose rows name a strategy or one of its webhooks. */
interface Naming {
  readonly table: keyof Schema
  readonly by: 'strategy_id' | 'webhook_id'
  readonly fate: 'delete' | Fate
  /** One row for every signal or message: taken away in small steps, so that signals of others pass in between. */
  readonly many?: true
}

/** A table that is missing here fails tests/server/strategy-erase.test.ts. */
export const NAMING: readonly Naming[] = [
  { table: 'signals', by: 'strategy_id', fate: 'delete', many: true },
  { table: 'deliveries', by: 'webhook_id', fate: 'delete', many: true },
  { table: 'webhook_formats', by: 'webhook_id', fate: 'delete' },
  { table: 'strategy_figures', by: 'strategy_id', fate: 'delete' },
  { table: 'strategy_folds', by: 'strategy_id', fate: 'delete' },
  { table: 'fold_marks', by: 'strategy_id', fate: 'delete' },
  { table: 'fold_chapters', by: 'strategy_id', fate: 'delete' },
  { table: 'gap_answers', by: 'strategy_id', fate: 'delete' },
  { table: 'strategy_notify', by: 'strategy_id', fate: 'delete' },
  // What they told goes with them.
  { table: 'stock_signal_settings', by: 'strategy_id', fate: 'delete' },
  { table: 'original_rows', by: 'strategy_id', fate: 'delete', many: true },
  { table: 'original_batches', by: 'strategy_id', fate: 'delete' },
  // What was told of it names it, and its positions.
  { table: 'notifications', by: 'strategy_id', fate: 'delete', many: true },
  { table: 'group_strategies', by: 'strategy_id', fate: 'delete' },
  // The pictures themselves go with the files of their scope.
  { table: 'note_images', by: 'strategy_id', fate: 'delete' },
  { table: 'webhooks', by: 'strategy_id', fate: 'blank' },
  // Only the hash of an address: by it the closed door is known.
  { table: 'webhook_tokens', by: 'webhook_id', fate: 'keep' },
  // The organization's own account of who could see what: it goes with the organization, and with nothing less.
  { table: 'access_changes', by: 'strategy_id', fate: 'keep' },
]

/** Nothing comes in any more: from now on the webhooks answer 410. Gives the ids of the strategies. */
export async function closeDoors({ db, at }: Tx, scope: string): Promise<string[]> {
  const strategies = await db
    .updateTable('strategies')
    .set({ deleted_at: at, updated_at: at })
    .where('scope', '=', scope)
    .returning('id')
    .execute()
  await db
    .updateTable('webhooks')
    .set({ deleted_at: at, updated_at: at, enabled: 0 })
    .where('strategy_id', 'in', (eb) => eb.selectFrom('strategies').select('id').where('scope', '=', scope))
    .where('deleted_at', 'is', null)
    .execute()
  return strategies.map(({ id }) => id)
}

/**
 * Closes the doors of one strategy that is deleted with its records: nobody sees it or anything of it from now on, its addresses
 * are none. What is left is noted and goes some rows at a time (erasures.ts).
 */
export async function closeForGood(
  { db, at }: Tx,
  { id, scope }: Pick<StrategyRow, 'id' | 'scope'>,
): Promise<void> {
  const webhooks = db.selectFrom('webhooks').select('id').where('strategy_id', '=', id)
  await db.deleteFrom('webhook_tokens').where('webhook_id', 'in', webhooks).execute()
  await db.deleteFrom('group_strategies').where('strategy_id', '=', id).execute()
  await db
    .updateTable('webhooks')
    .set({ ...EMPTY_WEBHOOK, deleted_at: at, updated_at: at, enabled: 0 })
    .where('strategy_id', '=', id)
    .execute()
  await db
    .updateTable('strategies')
    .set({ ...EMPTY_STRATEGY, deleted_at: at, updated_at: at })
    .where('id', '=', id)
    .execute()
  await enqueue(db, { kind: 'erase', key: id, owner: scope, data: null })
}

/** Of a strategy whose records are gone only the empty row stays, and those of its webhooks. */
export async function blank(db: Db, id: string): Promise<void> {
  await db.updateTable('webhooks').set(EMPTY_WEBHOOK).where('strategy_id', '=', id).execute()
  await db.updateTable('strategies').set(EMPTY_STRATEGY).where('id', '=', id).execute()
}
