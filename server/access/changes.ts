// Who could see what from when on, for any past moment (ruling C42, decision 043): what differs from what was noted last is noted,
// with who made it differ (decision 081).

import type { Selectable } from 'kysely'
import type { Tx } from '../context.ts'
import type { AccessChangeRow, Db, StrategyRow } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { partsOf } from '../parts.ts'

type Fact = Pick<
  AccessChangeRow,
  'fact' | 'user_id' | 'group_id' | 'strategy_id' | 'role' | 'starts_on' | 'ends_on'
>
type Noted = Selectable<AccessChangeRow>
/** What is to be noted: a fact that holds from now on, or no more; `last` is the note of the same that holds until now. */
type Note = { fact: Fact; gone: 0 | 1; last?: Noted | undefined }
type Owned = Pick<StrategyRow, 'id' | 'owner_type' | 'owner_id'>
/** In the place of a person: it came about by itself, a day that ended for example. */
const BY_ITSELF = 'system'
const NOBODY = { user_id: null, group_id: null, strategy_id: null, role: null }

/**
 * Notes what has changed for these people, and what the organization's groups give. Call after the change, in its transaction;
 * what came of it by itself (places of a group that went) is found as well.
 */
export async function noteAccess(tx: Tx, organization_id: string, uids: readonly string[]): Promise<void> {
  // What was noted is read first: what another transaction commits in between is then noted twice, and never as its opposite.
  const noted = byKey(await notedOf(tx.db, organization_id, uids))
  const stands = byKey(await factsOf(tx.db, organization_id, uids))
  const notes: Note[] = []
  for (const [key, fact] of stands) {
    const last = noted.get(key)
    const same =
      last?.role === fact.role && last.starts_on === fact.starts_on && last.ends_on === fact.ends_on
    if (!same) notes.push({ fact, gone: 0, last })
  }
  for (const [key, last] of noted) if (!stands.has(key)) notes.push({ fact: last, gone: 1, last })
  await store(tx, organization_id, notes)
}

/**
 * Notes that the organization has a strategy from now on, or no more: its admins see all there are. In the transaction that makes or
 * deletes it; it asks for nothing but this strategy, which that transaction holds.
 */
export async function noteStrategy(
  tx: Tx,
  { id: strategy_id, owner_type, owner_id: organization_id }: Owned,
  gone: 0 | 1,
): Promise<void> {
  if (owner_type !== 'organization') return
  const last = await tx.db
    .selectFrom('access_changes')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('strategy_id', '=', strategy_id)
    .where('fact', '=', 'strategy')
    .where('over_at', 'is', null)
    .where('gone', '=', 0)
    .executeTakeFirst()
  if ((last === undefined) === (gone === 1)) return
  const fact = { ...NOBODY, fact: 'strategy', strategy_id, starts_on: null, ends_on: null } as const
  await store(tx, organization_id, [{ fact, gone, last }])
}

/** Writes notes down: each follows the last of the same, which is over with it. */
async function store(tx: Tx, organization_id: string, notes: readonly Note[]): Promise<void> {
  // Never before what it follows, also when the clock was put back in between.
  const at = notes.reduce((latest, { last }) => (last && last.at > latest ? last.at : latest), tx.at)
  const changed_by = tx.by ?? BY_ITSELF
  for (const some of partsOf(notes)) {
    const rows = some.map(({ fact: of, gone, last }) => {
      const { fact, user_id, group_id, strategy_id, role, starts_on, ends_on } = of
      const told = { fact, user_id, group_id, strategy_id, role, starts_on, ends_on }
      const follows = last?.id ?? null
      return { ...told, id: newId(), organization_id, at, gone, changed_by, follows, over_at: null }
    })
    const over = rows.flatMap(({ follows }) => follows ?? [])
    if (over.length > 0) {
      await tx.db.updateTable('access_changes').set({ over_at: at }).where('id', 'in', over).execute()
      await tx.db.deleteFrom('access_standing').where('change_id', 'in', over).execute()
    }
    await tx.db.insertInto('access_changes').values(rows).execute()
    const holds = rows.filter(({ gone }) => gone === 0)
    if (holds.length > 0)
      await tx.db
        .insertInto('access_standing')
        .values(holds.map(({ id, user_id }) => ({ change_id: id, organization_id, user_id })))
        .execute()
  }
}

function byKey<F extends Fact>(facts: readonly F[]): Map<string, F> {
  return new Map(
    facts.map((fact) => [[fact.fact, fact.user_id, fact.group_id, fact.strategy_id].join(' '), fact]),
  )
}

/** As it stands now: these people, and what every group of the organization gives. */
async function factsOf(db: Db, organization_id: string, uids: readonly string[]): Promise<Fact[]> {
  const gifts = await db
    .selectFrom('group_strategies as given')
    .innerJoin('strategy_groups as groups', 'groups.id', 'given.group_id')
    .select(['given.group_id', 'given.strategy_id', 'given.starts_on', 'given.ends_on'])
    .where('groups.organization_id', '=', organization_id)
    .execute()
  const facts: Fact[] = gifts.map((gift) => ({ ...NOBODY, fact: 'gift', ...gift }))
  for (const some of partsOf(uids)) {
    const memberships = await db
      .selectFrom('memberships')
      .select(['user_id', 'role', 'starts_on', 'expires_on as ends_on'])
      .where('organization_id', '=', organization_id)
      .where('user_id', 'in', some)
      .execute()
    const places = await db
      .selectFrom('group_members as member')
      .innerJoin('strategy_groups as groups', 'groups.id', 'member.group_id')
      .select(['member.group_id', 'member.user_id', 'member.starts_on', 'member.ends_on'])
      .where('groups.organization_id', '=', organization_id)
      .where('member.user_id', 'in', some)
      .execute()
    facts.push(
      ...memberships.map((one): Fact => ({ ...NOBODY, fact: 'membership', ...one })),
      ...places.map((one): Fact => ({ ...NOBODY, fact: 'place', ...one })),
    )
  }
  return facts
}

/** What was noted last and holds still. */
async function notedOf(db: Db, organization_id: string, uids: readonly string[]): Promise<Noted[]> {
  const all: Noted[] = []
  // What groups give is nobody's, and read with the first of them, or by itself.
  for (const [n, some] of (uids.length > 0 ? [...partsOf(uids)] : [[]]).entries()) {
    const rows = await db
      .selectFrom('access_standing as standing')
      .innerJoin('access_changes as noted', 'noted.id', 'standing.change_id')
      .selectAll('noted')
      .where('standing.organization_id', '=', organization_id)
      // Strategies that there are: noteStrategy.
      .where('noted.fact', '!=', 'strategy')
      .where((eb) =>
        eb.or([
          ...(n === 0 ? [eb('standing.user_id', 'is', null)] : []),
          ...(some.length > 0 ? [eb('standing.user_id', 'in', some)] : []),
        ]),
      )
      .execute()
    all.push(...rows)
  }
  return all
}
