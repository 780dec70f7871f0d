// A group with more members and strategies than may be noted in an hour is refused by its own sentence, and uses up nothing of that hour.
import { expect, test } from 'vitest'
import { copyGroup, createGroup } from '#contract/group.ts'
import { GROUP_COPY_ROWS } from '#contract/limits.ts'
import { refused } from '#tests/support/desk.ts'
import { openOffice } from '#tests/support/office.ts'
import { SOAK } from '#tests/support/tier.ts'

test.runIf(SOAK)('too large to copy: said so, as often as it is tried', async () => {
  const office = await openOffice('sqlite')
  const { admin, organization, server } = office
  const { db } = server.app
  const group = await office.inside(admin, createGroup, { name: '大群組' })
  const like = await db.selectFrom('users').selectAll().where('id', '=', admin.uid).executeTakeFirstOrThrow()
  const at = { created_at: like.created_at, updated_at: like.created_at }
  const ids = Array.from(
    { length: GROUP_COPY_ROWS + 1 },
    (_, n) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  )
  for (let from = 0; from < ids.length; from += 500) {
    const some = ids.slice(from, from + 500)
    const span = { starts_on: '2020-01-01', ...at }
    await db
      .insertInto('users')
      .values(some.map((id) => ({ ...like, id, email: `${id}@example.com` })))
      .execute()
    await db
      .insertInto('memberships')
      .values(
        some.map((user_id) => ({
          ...{ organization_id: organization.id, user_id, role: 'member' as const, expires_on: null },
          ...span,
        })),
      )
      .execute()
    await db
      .insertInto('group_members')
      .values(some.map((user_id) => ({ group_id: group.id, user_id, ends_on: null, ...span })))
      .execute()
  }
  const copy = () => refused(office.inside(admin, copyGroup, { id: group.id, name: '複本' }))
  for (let tries = 0; tries < 3; tries++) {
    const { code, text } = await copy()
    expect([code, text]).toEqual([4100, expect.stringContaining('超過 5,000 個的群組不能複製')])
  }
  // one fewer would be as many as an hour gives, and the hour is untouched
  await db
    .deleteFrom('group_members')
    .where('user_id', '=', ids[0] as string)
    .execute()
  const made = await office.inside(admin, copyGroup, { id: group.id, name: '複本' })
  expect(made.member_count).toBe(GROUP_COPY_ROWS)
  await server.close()
})
