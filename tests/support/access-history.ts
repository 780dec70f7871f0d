// A random history of an organization, by the real calls, with what every person could see after each step: what the log is held against.
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import {
  addGroupMembers,
  createGroup,
  deleteGroup,
  removeGroupMember,
  setGroupStrategies,
  updateGroupMembers,
} from '#contract/group.ts'
import { acceptInvite, createInvites } from '#contract/join.ts'
import { leaveOrganization, removeMember, updateMember, updateMembers } from '#contract/membership.ts'
import { deleteStrategy, duplicateStrategy, updateStrategy } from '#contract/strategy.ts'
import { accessMap, membershipOn } from '#server/access/membership.ts'
import { visibleStrategies } from '#server/access/strategies.ts'
import { endExpired } from '#server/membership/store.ts'
import type { Office } from './office.ts'
import { type Person, signIn, signUp } from './people.ts'

/** What was so at a moment: one line for each person and strategy, in order. */
export interface Moment {
  at: string
  day: string
  lines: string[]
}

/** Numbers that look like chance and are the same in every run. */
export function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

type Act = () => Promise<unknown>

/** Lives through `steps` random steps; gives what was so after each, before and behind the time that passed. */
export async function live(office: Office, steps: number, seed: number): Promise<Moment[]> {
  const roll = dice(seed)
  const pick = <T>(some: readonly T[]): T => some[roll(some.length)] as T
  const { organization, server } = office
  const id = organization.id
  const people: Person[] = []
  for (let n = 0; n < 5; n++) people.push(await signUp(server, `第 ${n + 1} 位`))
  const groups: string[] = []
  const strategies: { id: string; name: string }[] = []
  const moments: Moment[] = []
  let made = 0
  const inside = <E extends Endpoint>(endpoint: E, input: InputOf<E>) =>
    office.inside(office.admin, endpoint, input)
  const first = () => office.day(roll(6) - 4)
  const last = () => (roll(2) === 0 ? null : office.day(roll(8)))
  const some = <T>(all: readonly T[]) => all.filter(() => roll(2) === 0)
  const mark = async () => {
    const at = new Date(server.app.now()).toISOString()
    const rows = await server.app.db
      .selectFrom('memberships')
      .select('user_id')
      .where('organization_id', '=', id)
      .execute()
    belong = people.filter(({ uid }) => rows.some(({ user_id }) => user_id === uid))
    moments.push({ at, day: office.day(), lines: await seenNow(office, [office.admin, ...people]) })
  }
  /** Who belongs to it now. */
  let belong: Person[] = []
  const one = () => pick(belong).uid
  const people_of = () => ({ id: pick(groups), user_ids: [one()] })
  /** A place that there is: changing others would be refused most of the time. */
  const place = async () => {
    const rows = await server.app.db
      .selectFrom('group_members')
      .select(['group_id', 'user_id'])
      .where('group_id', 'in', groups)
      .orderBy('created_at')
      .orderBy('group_id')
      .execute()
    return pick(rows)
  }
  const removePlace = async () => {
    const { group_id, user_id } = await place()
    await inside(removeGroupMember, { id: group_id, user_id })
  }
  const give = () =>
    inside(setGroupStrategies, {
      id: pick(groups),
      strategies: some(strategies).map(({ id: strategy_id }) => ({
        ...{ strategy_id, ends_on: last() },
        ...(roll(2) === 0 && { starts_on: first() }),
      })),
    })
  const together: Act[] = [
    async () => {
      const person = pick(people.filter((each) => !belong.includes(each)))
      if (!person) return
      const group_ids = some(groups)
      await inside(createInvites, { id, emails: [person.email], group_ids, expires_on: last() })
      await person.call(acceptInvite, { code: await office.code(person.email) })
    },
    async () => groups.push((await inside(createGroup, { name: `群組 ${++made}` })).id),
    async () => strategies.push(await office.strategy(`策略 ${++made}`)),
    () => inside(addGroupMembers, { ...people_of(), starts_on: first() }),
    () => inside(addGroupMembers, { ...people_of(), ends_on: last() }),
    give,
    give,
  ]
  const apart: Act[] = [
    async () =>
      strategies.push(await inside(duplicateStrategy, { id: pick(strategies).id, name: `副本 ${++made}` })),
    async () => {
      const { group_id, user_id } = await place()
      await inside(updateGroupMembers, { id: group_id, user_ids: [user_id], ends_on: last() })
    },
    removePlace,
    removePlace,
    removePlace,
    () =>
      inside(setGroupStrategies, { id: pick(groups), strategy_ids: some(strategies).map((one) => one.id) }),
    () => inside(updateMember, { id, user_id: one(), expires_on: last() }),
    () => inside(updateMember, { id, user_id: one(), starts_on: first() }),
    () => inside(updateMember, { id, user_id: one(), role: 'admin' }),
    () => inside(updateMember, { id, user_id: one(), role: 'admin', expires_on: office.day(roll(3)) }),
    () => inside(updateMember, { id, user_id: one(), role: 'member' }),
    () => inside(updateMembers, { id, user_ids: belong.map(({ uid }) => uid), expires_on: last() }),
    () => inside(removeMember, { id, user_id: one() }),
    () => inside(removeMember, { id, user_id: one() }),
    () => pick(belong).call(leaveOrganization, { id }),
    () => inside(updateStrategy, { id: pick(strategies).id, status: pick(['archived', 'active'] as const) }),
    async () => {
      const group = pick(groups)
      await inside(deleteGroup, { id: group })
      groups.splice(groups.indexOf(group), 1)
    },
    async () => {
      const strategy = pick(strategies)
      await inside(deleteStrategy, { ...strategy, keep_records: roll(2) === 0 })
      strategies.splice(strategies.indexOf(strategy), 1)
    },
    () => endExpired(server.app),
  ]
  // Something to begin with, so that most of what comes can be done.
  for (const act of together)
    for (let n = 0; n < 3; n++) {
      await refusable(act)
      await mark()
      office.pass(1_000)
    }
  for (let step = 0; step < steps; step++) {
    office.pass(1_000)
    const few = belong.length < 3 || strategies.length < 3 || groups.length < 2
    await refusable(pick(few || roll(3) === 0 ? together : apart))
    await mark()
    office.pass(1_000 + roll(12) * 3_600_000)
    await mark()
    // A sign-in is good for thirty days.
    if (step % 40 === 39)
      for (const person of [office.admin, ...people])
        Object.assign(person, await signIn(server, person.email, person.name))
  }
  return moments
}

/** Steps that make no sense are refused, and that is part of a history. */
async function refusable(act: Act): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code >= 5000 || error.code === 4290) throw error
  }
}

/** What the product itself lets each of these people see now. */
async function seenNow(office: Office, people: readonly Person[]): Promise<string[]> {
  const { db } = office.server.app
  const { id } = office.organization
  const day = office.day()
  const lines: string[] = []
  for (const { uid } of people) {
    const membership = await membershipOn(db, id, uid, day)
    if (!membership) continue
    const access = membership.role === 'admin' ? null : await accessMap(db, membership, day)
    const rows = await visibleStrategies(db, { scope: `o:${id}`, access })
      .select('strategies.id')
      .execute()
    for (const row of rows) {
      const { visible_from = null, valid_until = membership.span.ends_on } = access?.get(row.id) ?? {}
      lines.push(
        lineOf({ user_id: uid, strategy_id: row.id, role: membership.role, visible_from, valid_until }),
      )
    }
  }
  return lines.sort()
}

/** One person and one strategy, as they are compared. */
export function lineOf(seen: {
  user_id: string
  strategy_id: string
  role: string
  visible_from: string | null
  valid_until: string | null
}): string {
  const { user_id, strategy_id, role, visible_from, valid_until } = seen
  return [user_id, strategy_id, role, visible_from, valid_until].join(' ')
}
