// Whose access changed is told many at once: each hears the version that their own feed will say, numbers without gaps, whoever they are.
import { expect, test } from 'vitest'
import { addGroupMembers, createGroup, setGroupStrategies } from '#contract/group.ts'
import { updateMember } from '#contract/membership.ts'
import { signalFeed } from '#contract/signal.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { openOffice } from '#tests/support/office.ts'

describeEngines('access that is told', (engine) => {
  test('to members of one and of several groups, an admin and somebody whose time is over, in one change', async () => {
    const office = await openOffice(engine)
    const { admin, organization, server } = office
    const [one, two, over] = [await office.join('甲'), await office.join('乙'), await office.join('丙')]
    const everybody = [admin, one, two, over]
    const user_ids = everybody.map(({ uid }) => uid)
    const strategies = [await office.strategy('甲策略'), await office.strategy('乙策略')]
    const [first, second] = [
      await office.inside(admin, createGroup, { name: '甲組' }),
      await office.inside(admin, createGroup, { name: '乙組' }),
    ]
    await office.inside(admin, setGroupStrategies, { id: second.id, strategy_ids: [strategies[1]?.id ?? ''] })
    await office.inside(admin, addGroupMembers, { id: second.id, user_ids: [two.uid] })
    await office.inside(admin, addGroupMembers, { id: first.id, user_ids })
    await office.inside(admin, updateMember, {
      id: organization.id,
      user_id: over.uid,
      expires_on: office.day(1),
    })
    office.pass(3 * 86_400_000)
    await office.inside(admin, setGroupStrategies, {
      id: first.id,
      strategies: [{ strategy_id: strategies[0]?.id ?? '', ends_on: office.day(9) }],
    })

    const heard = async (uid: string) => (await office.told(`p:${uid}`, 'membership')).at(-1)
    const versions = await Promise.all(
      everybody.map(async ({ uid }) => (await heard(uid))?.['access_version']),
    )
    for (const [at, person] of [admin, one, two].entries()) {
      const { access_version } = await office.inside(person, signalFeed, { after: 0, limit: 1 })
      expect([person.name, versions[at]]).toEqual([person.name, access_version])
    }
    expect(versions[3]).toBe(0)
    expect(new Set(versions).size).toBe(4)
    // the organization hears of each of them in the same words, and no number is missing
    const said = (await office.told(`o:${organization.id}`, 'membership')).slice(-4)
    expect(said).toEqual(await Promise.all(said.map((one) => heard(one['user_id'] as string))))
    expect(said.map((one) => one['user_id']).toSorted()).toEqual(user_ids.toSorted())
    const rows = await server.app.db.selectFrom('events').select(['scope', 'seq']).orderBy('seq').execute()
    for (const [scope, of] of Map.groupBy(rows, (row) => row.scope))
      expect([scope, of.map(({ seq }) => Number(seq))]).toEqual([scope, of.map((_, n) => n + 1)])
    await server.close()
  })
})
