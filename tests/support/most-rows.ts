// Counts what transactions read and write: how long one holds others up is not measured in tests, how much it does is.
import type { KyselyPlugin, Transaction } from 'kysely'
import { vi } from 'vitest'
import type { App } from '#server/context.ts'
import type { Schema } from '#server/db/schema.ts'

/** The most rows that the statements of one transaction read or wrote, of all that began since. */
export function mostRows(app: App): { inTransactions: () => number; end: () => void } {
  const counts: number[] = []
  const { transaction } = app.db
  const spy = vi.spyOn(app.db, 'transaction').mockImplementation(() => {
    const builder = transaction.call(app.db)
    const execute = builder.execute.bind(builder)
    builder.execute = <T>(run: (tx: Transaction<Schema>) => Promise<T>) => {
      const at = counts.push(0) - 1
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          counts[at] = (counts[at] ?? 0) + Number(result.numAffectedRows ?? result.rows.length)
          return result
        },
      }
      return execute((tx) => run(tx.withPlugin(plugin)))
    }
    return builder
  })
  return { inTransactions: () => Math.max(0, ...counts), end: () => spy.mockRestore() }
}
