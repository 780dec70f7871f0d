// 個股訊號設定 (domain §8.1): rules on which signals of stocks count and which are told, what they told, and the size that one gave.
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stock_signal_settings')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('strategy_id', 'text', (c) => c.notNull().references('strategies.id').onDelete('cascade'))
    .addColumn('uid', 'text')
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('match', 'text', (c) => c.notNull())
    .addColumn('result', 'text', (c) => c.notNull())
    .addColumn('limits', 'text', (c) => c.notNull())
    .addColumn('quantity_override', 'integer')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('stock_signal_settings_of')
    .on('stock_signal_settings')
    .columns(['strategy_id', 'uid', 'place'])
    .execute()
  await db.schema
    .createTable('stock_rule_passes')
    .addColumn('rule_id', 'text', (c) =>
      c.notNull().references('stock_signal_settings.id').onDelete('cascade'),
    )
    .addColumn('signal_id', 'text', (c) => c.notNull())
    .addColumn('symbol', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('stock_rule_passes_once', ['rule_id', 'signal_id'])
    .execute()
  await db.schema
    .createIndex('stock_rule_passes_of')
    .on('stock_rule_passes')
    .columns(['rule_id', 'symbol', 'at'])
    .execute()
  await db.schema.createIndex('stock_rule_passes_at').on('stock_rule_passes').column('at').execute()
  await db.schema.createIndex('stock_signal_settings_own').on('stock_signal_settings').column('uid').execute()
  await db.schema
    .alterTable('strategies')
    .addColumn('rules_version', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('deliveries').addColumn('ruled_quantity', 'integer').execute()
}
