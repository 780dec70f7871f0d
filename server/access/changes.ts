// Who could see what from when on, for any past moment (ruling C42, decision 043): what differs from what was noted last is noted,
// with who made it differ (decision 081).
import type { Insertable, Selectable } from 'kysely'
import type { Tx } from '../context.ts'
import type { AccessChangeRow, Db } from '../db/schema.ts'
import { newId } from '../ids.ts'

type Fact = Pick<
  AccessChangeRow,
  'fact' | 'user_id' | 'group_id' | 'strategy_id' | 'role' | 'starts_on' | 'ends_on'
>
type Noted = Selectable<AccessChangeRow>
/** Rows of one statement: SQLite binds no more than some thousand values. */
const AT_ONCE = 500
/** In the place of a person: it came about by itself, a day that ended for example. */
const BY_ITSELF = 'system'

/**
 * Notes what has changed for these people, and what the organization's groups give. Call after the change, in its transaction;
 * what came of it by itself (places of a group that went) is found as well.
 */
export async function noteAccess(tx: Tx, organization_id: string, uids: readonly string[]): Promise<void> {
  const stands = byKey(await factsOf(tx.db, organization_id, uids))
  const noted = byKey(await notedOf(tx.db, organization_id, uids))
  const rows: Insertable<AccessChangeRow>[] = []
  /** Notes that hold no more. */
  const over: string[] = []
  const note = (fact: Fact, gone: 0 | 1, last?: Noted) => {
    const { user_id, group_id, strategy_id, role, starts_on, ends_on } = fact
    const told = { fact: fact.fact, user_id, group_id, strategy_id, role, starts_on, ends_on }
    rows.push({ ...told, id: newId(), organization_id, at: tx.at, gone, changed_by: tx.by ?? BY_ITSELF })
    if (last) over.push(last.id)
  }
  for (const [key, fact] of stands) {
    const last = noted.get(key)
    const same =
      last?.role === fact.role && last.starts_on === fact.starts_on && last.ends_on === fact.ends_on
    if (!same) note(fact, 0, last)
  }
  for (const [key, last] of noted) if (!stands.has(key)) note(last, 1, last)
  for (let from = 0; from < over.length; from += AT_ONCE)
    await tx.db
      .deleteFrom('access_standing')
      .where('change_id', 'in', over.slice(from, from + AT_ONCE))
      .execute()
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const some = rows.slice(from, from + AT_ONCE)
    await tx.db.insertInto('access_changes').values(some).execute()
    const holds = some.filter(({ gone }) => gone === 0)
    if (holds.length > 0)
      await tx.db
        .insertInto('access_standing')
        .values(
          holds.map(({ id, user_id }) => ({ change_id: id, organization_id, user_id: user_id ?? null })),
        )
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
  const nobody = { user_id: null, group_id: null, strategy_id: null, role: null }
  const gifts = await db
    .selectFrom('group_strategies as given')
    .innerJoin('strategy_groups as groups', 'groups.id', 'given.group_id')
    .select(['given.group_id', 'given.strategy_id', 'given.starts_on', 'given.ends_on'])
    .where('groups.organization_id', '=', organization_id)
    .execute()
  const facts: Fact[] = gifts.map((gift) => ({ ...nobody, fact: 'gift', ...gift }))
  for (let from = 0; from < uids.length; from += AT_ONCE) {
    const some = uids.slice(from, from + AT_ONCE)
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
      ...memberships.map((one): Fact => ({ ...nobody, fact: 'membership', ...one })),
      ...places.map((one): Fact => ({ ...nobody, fact: 'place', ...one })),
    )
  }
  return facts
}

/** What was noted last and holds still. */
async function notedOf(db: Db, organization_id: string, uids: readonly string[]): Promise<Noted[]> {
  const all: Noted[] = []
  for (let from = 0; from === 0 || from < uids.length; from += AT_ONCE) {
    const some = uids.slice(from, from + AT_ONCE)
    const rows = await db
      .selectFrom('access_standing as standing')
      .innerJoin('access_changes as noted', 'noted.id', 'standing.change_id')
      .selectAll('noted')
      .where('standing.organization_id', '=', organization_id)
      .where((eb) =>
        eb.or([
          ...(from === 0 ? [eb('standing.user_id', 'is', null)] : []),
          ...(some.length > 0 ? [eb('standing.user_id', 'in', some)] : []),
        ]),
      )
      .execute()
    all.push(...rows)
  }
  return all
}
