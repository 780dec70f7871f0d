// What stood on a device before the application ran, for the tests of src/early.ts.
import { hashKey } from '@tanstack/react-query'
import { type DeviceDatabase, openDatabase } from '#data/device/db.ts'
import type { Early, EarlyRows } from '#data/device/store.ts'
import { dashboardQueries } from '#data/nouns/board.ts'
import { signalQueries } from '#data/nouns/signal.ts'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { record } from './backend.ts'

/** The organization whose record number 99 stands on the device. */
export const ORG = '01900000-0000-7000-8000-00000000000f'

/** As src/early.ts offers what stood on the device; nothing was asked of the server. */
export const offer = (rows: EarlyRows): Early => ({
  ...{ uid: 'u1', asked: [] },
  rows: Promise.resolve(rows),
  named: Promise.resolve(rows),
})

/** What localStorage holds of somebody signed in. */
export const signedIn = (uid: string, more: Record<string, string> = {}) => ({
  token: `token-of-${uid}`,
  lingbo_user: JSON.stringify({ id: uid }),
  ...more,
})

/** A database with 70 records, four answers and the feed's place. */
export async function fill(uid: string): Promise<DeviceDatabase> {
  const db = await openDatabase(uid)
  await db.signals.bulkPut(
    Array.from({ length: 70 }, (_none, n) => ({ ...record(n), ctx: 'personal' as const })),
  )
  await db.signals.put({ ...record(99), ctx: `org:${ORG}` })
  const feed = { after: 69, complete: true, access_version: 1, as_of: '2026-03-02T01:00:00.000Z' }
  await db.meta.put({ key: 'feed:personal', ctx: 'personal', value: feed })
  const keys = [
    dashboardQueries.mine('personal').queryKey,
    strategyQueries.list('personal', { page_size: 100 }).queryKey,
    strategyQueries.list('personal', { page_size: 100, status: 'archived' }).queryKey,
    signalQueries.one('personal', record(3).id).queryKey,
  ]
  await db.answers.bulkPut(
    keys.map((key) => ({
      key: hashKey(key),
      ctx: 'personal' as const,
      schema: 1,
      data: 1,
      data_at: 0,
      saved_at: 0,
    })),
  )
  return db
}
