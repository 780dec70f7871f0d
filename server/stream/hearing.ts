// What of an event somebody hears: those who may edit everything, a member what its groups give and nothing of how it came to be.
import type { AppEvent } from '#contract/events.ts'
import type { Hearing } from '../access/actor.ts'
import { today } from '../access/membership.ts'
import { seesRecord } from '../access/strategies.ts'
import type { App } from '../context.ts'
import { floorOf } from '../record/chain.ts'
import { mayBeVeiled, veilOf } from '../record/veil.ts'

/** The event as the holder of this right hears it, null when it does not (rulings A9, A10, A12). */
export function heardBy({ edit, access }: Hearing, event: AppEvent): AppEvent | null {
  if (edit) return event
  switch (event.kind) {
    case 'signal':
    case 'signal-voided':
      return seesRecord(access, event.data.strategy_id, event.data.occurred_at) ? withoutSource(event) : null
    // That a strategy was taken away a member hears through its access: the records may stay (ruling C27).
    case 'strategy':
      return event.data.change !== 'deleted' && (access?.has(event.data.id) ?? true) ? event : null
    // Whether somebody is invited is the admins' business.
    case 'organization':
      return event.data.change === 'updated' ? event : null
    // Only that there is one: what it says is asked for, and given to those who may read it today. What still names its groups
    // was looked up, and is for none of this member's.
    case 'announcement':
      return event.data.change === 'drafted' || event.data.group_ids ? null : event
    // Of people, groups and messages its managers hear; a member hears what concerns it on `p:`.
    case 'delivery':
    case 'format':
    case 'silence':
    case 'membership':
    case 'context-revoked':
    case 'group':
    case 'profile':
    case 'setting':
    case 'notification':
    case 'notification-read':
    case 'telegram':
    case 'reset':
      return null
    default:
      return unheard(event)
  }
}

/** Refused by the compiler while a kind has no `case` in heardBy, with its name; one that is only stored is heard by nobody. */
function unheard(_event: never): null {
  return null
}

/** Whether what this reader hears of the event depends on what came before its first day, or on its groups: then it is looked up first. */
export function asksBack(right: Hearing, event: AppEvent): boolean {
  if (right.access === null) return false
  if (event.kind === 'signal' || event.kind === 'signal-voided') return mayBeVeiled(right, event.data)
  if (event.kind === 'announcement') return event.data.group_ids !== undefined
  return event.kind === 'strategy' && event.data.from_chain_seq !== undefined
}

/** These events without what they tell of records from before the reader's first day (decision 018), and of other people's groups. */
export async function withoutPast(
  app: Pick<App, 'db' | 'books' | 'config' | 'log' | 'now'>,
  uid: string,
  right: Hearing,
  events: readonly AppEvent[],
): Promise<AppEvent[]> {
  const { access, shares } = right
  const records = events.flatMap((event) =>
    (event.kind === 'signal' || event.kind === 'signal-voided') && asksBack(right, event) ? event.data : [],
  )
  const veil = await veilOf(app, app.db, { uid, access, shares }, records)
  const own = await ownGroups(app, uid, events)
  const told: AppEvent[] = []
  for (const event of events) {
    if (!asksBack(right, event)) told.push(event)
    else if (event.kind === 'announcement') {
      const { group_ids, ...data } = event.data
      told.push(group_ids?.some((id) => own.has(id)) ? { ...event, data } : event)
    } else if (event.kind === 'strategy') {
      const floor = await floorOf(app.db, access, event.data.id)
      const from_chain_seq = Math.max(event.data.from_chain_seq ?? 1, floor + 1)
      told.push({ ...event, data: { ...event.data, from_chain_seq } })
    } else if (event.kind === 'signal' || event.kind === 'signal-voided')
      told.push({ ...event, data: veil(event.data) })
  }
  return told
}

/** Of the groups that these announcements speak to, those in which this person has a place today. */
async function ownGroups(
  app: Pick<App, 'db' | 'now'>,
  uid: string,
  events: readonly AppEvent[],
): Promise<ReadonlySet<string>> {
  const asked = events.flatMap((event) => (event.kind === 'announcement' ? (event.data.group_ids ?? []) : []))
  if (asked.length === 0) return new Set()
  const day = today(app)
  const rows = await app.db
    .selectFrom('group_members')
    .select('group_id')
    .where('user_id', '=', uid)
    .where('group_id', 'in', [...new Set(asked)])
    .where('starts_on', '<=', day)
    .where((eb) => eb.or([eb('ends_on', 'is', null), eb('ends_on', '>=', day)]))
    .execute()
  return new Set(rows.map(({ group_id }) => group_id))
}

/** The same for every member, so that it is written only once. */
const told = new WeakMap<AppEvent, AppEvent>()

/** Which delivery a record came from is for those who may edit (wire §6). */
function withoutSource(event: AppEvent & { kind: 'signal' | 'signal-voided' }): AppEvent {
  let twin = told.get(event)
  if (twin === undefined) {
    twin = { ...event, data: { ...event.data, delivery_id: null } }
    told.set(event, twin)
  }
  return twin
}
