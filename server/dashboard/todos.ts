// What asks for attention, each with the screen where it is dealt with.
import type { Dashboard } from '#contract/dashboard.ts'
import { isSeenByOther } from '../access/view.ts'
import type { Actor } from '../context.ts'
import type { rejectedByStrategy, strategyStates } from './store.ts'

type Todo = Dashboard['todos'][number]
type States = Awaited<ReturnType<typeof strategyStates>>
type Rejected = Awaited<ReturnType<typeof rejectedByStrategy>>

/** Todos in the order they matter; a link leads to the first place, the next one follows when it is done. */
export function todosOf(
  actor: Actor,
  states: States,
  held: ReadonlyMap<string, { count: number; newest: string }>,
  rejected: Rejected,
  {
    invites,
    requests = 0,
    telegram,
    expiring = 0,
  }: { invites: number; requests?: number; telegram: boolean; expiring?: number },
): Todo[] {
  const todos: Todo[] = []
  // The person's own: none of what an admin is shown who looks at what a member sees.
  if (!actor.email_verified && !isSeenByOther(actor))
    todos.push({ kind: 'verify_email', count: 1, link: '/profile' })
  if (invites > 0) todos.push({ kind: 'invites', count: invites, link: '/my-organizations' })
  if (requests > 0)
    todos.push({ kind: 'join_requests', count: requests, link: '/organizations/manage?tab=requests' })
  const unpriced = states.filter((state) => state.pending_price_count > 0)
  if (unpriced[0]) {
    const count = unpriced.reduce((sum, state) => sum + state.pending_price_count, 0)
    todos.push({ kind: 'pending_price', count, link: `/strategies/${unpriced[0].id}?tab=signals` })
  }
  const suspect = states.filter((state) => state.price_suspect_count > 0)
  if (suspect[0]) {
    const count = suspect.reduce((sum, state) => sum + state.price_suspect_count, 0)
    todos.push({
      kind: 'price_suspect',
      count,
      link: `/strategies/${suspect[0].id}?tab=signals&state=price_suspect`,
    })
  }
  const gaps = states.filter((state) => state.gap)
  if (gaps[0]) {
    todos.push({
      kind: 'position_gap',
      count: gaps.length,
      link: `/strategies/${gaps[0].id}?tab=positions`,
    })
  }
  const [waits] = held
  if (waits !== undefined) {
    const count = [...held.values()].reduce((sum, one) => sum + one.count, 0)
    todos.push({
      kind: 'held',
      count,
      link: `/strategies/${waits[0]}?tab=settings&format=${waits[1].newest}`,
    })
  }
  if (rejected[0]) {
    const count = rejected.reduce((sum, row) => sum + Number(row.count), 0)
    todos.push({
      kind: 'rejected',
      count,
      link: `/strategies/${rejected[0].strategy_id}?tab=settings&outcome=rejected`,
    })
  }
  const silent = states.filter((state) => state.silent)
  if (silent[0]) todos.push({ kind: 'silent', count: silent.length, link: `/strategies/${silent[0].id}` })
  const missing = states.filter((state) => state.missing)
  if (missing[0])
    todos.push({
      kind: 'missing',
      count: missing.length,
      link: `/strategies/${missing[0].id}?tab=settings`,
    })
  if (expiring > 0)
    todos.push({
      kind: 'expiring',
      count: expiring,
      link: '/organizations/manage?tab=members&status=expiring',
    })
  if (telegram)
    todos.push({
      kind: 'bind_telegram',
      count: 1,
      link: '/signal-notification?tab=setting&channel=telegram',
    })
  return todos
}
