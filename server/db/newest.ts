// One page of a list whose newest comes first, with how many there are in all.
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** Of rows that say when they were made; of the same moment the later id comes first. */
export async function newestOf<T extends 'invites' | 'join_requests'>(
  found: SelectQueryBuilder<Schema, T, object>,
  { page, page_size }: { page: number; page_size: number },
) {
  const { total } = await found.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .selectAll()
    .orderBy(sql.ref('created_at'), 'desc')
    .orderBy(sql.ref('id'), 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  return { rows, total: Number(total) }
}
