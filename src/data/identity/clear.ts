// 清除離線資料: the copies of every identity go from this device, what waits to be sent stays.
import { hashKey, type QueryClient } from '@tanstack/react-query'
import type { Ctx } from '../context.ts'
import type { Data } from '../current.ts'
import { sweepContext, sweepUnveiled } from '../device/sweep.ts'
import { keys } from '../keys.ts'
import type { Visit } from './visit.ts'

/** Clears and fetches the current identity anew; of the profile alone only clears. Rejects when the device's database cannot be written. */
export async function clearCopies(
  visit: Visit,
  query: QueryClient,
  data: Pick<Data, 'ctx' | 'refresh'>,
  what?: 'profile',
): Promise<void> {
  if (what === 'profile') {
    visit.boot.forget()
    // the first page may never have stood
    visit.open()
    await visit.store.soon((db) => db.answers.delete(hashKey(keys.person.profile)))
    return
  }
  const found = await visit.store.run(async (db) => {
    const keys = await Promise.all([
      db.answers.orderBy('ctx').uniqueKeys(),
      db.meta.orderBy('ctx').uniqueKeys(),
    ])
    const all = new Set([...keys.flat(), data.ctx(), 'personal'] as Ctx[])
    for (const ctx of all) await sweepContext(db, ctx)
    await sweepUnveiled(db)
    return all
  })
  for (const ctx of found ?? [data.ctx()]) {
    visit.live?.forget(ctx)
    // what stands on the screen stays until its fresh answer is here
    if (ctx !== data.ctx()) query.removeQueries({ queryKey: keys.all(ctx) })
  }
  await data.refresh()
}
