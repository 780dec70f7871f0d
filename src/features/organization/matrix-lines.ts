// The lines of the whole table: who or what, and the days in each group; which of them are looked for.
import { type Span, within } from '#contract/access.ts'
import type { GroupMatrix, SPAN_STATES } from '#contract/group.ts'

/** The days in one group, those of the membership with them, and where they stand today. */
export interface Cell {
  readonly state: (typeof SPAN_STATES)[number]
  readonly period: Span
}
/** `cells` by the group's id. */
export interface MatrixLine<One> {
  readonly id: string
  readonly name: string
  readonly of: One
  readonly cells: ReadonlyMap<string, Cell>
}
export type MemberLine = MatrixLine<GroupMatrix['members'][number]>
export type StrategyLine = MatrixLine<GroupMatrix['strategies'][number]>

/** One line for every member, also for who is in no group. */
export function memberLines({ members, places }: GroupMatrix): MemberLine[] {
  const by_uid = Map.groupBy(places, ({ user_id }) => user_id)
  return members.map((of) => ({
    id: of.user_id,
    name: of.name,
    of,
    cells: new Map(
      (by_uid.get(of.user_id) ?? []).map(({ group_id, starts_on, ends_on, state }) => [
        group_id,
        {
          state,
          period: within({ starts_on, ends_on }, { starts_on: of.starts_on, ends_on: of.expires_on }),
        },
      ]),
    ),
  }))
}

/** One line for every strategy. */
export function strategyLines({ strategies, gifts }: GroupMatrix): StrategyLine[] {
  const by_id = Map.groupBy(gifts, ({ strategy_id }) => strategy_id)
  return strategies.map((of) => ({
    id: of.strategy_id,
    name: of.name,
    of,
    cells: new Map(
      (by_id.get(of.strategy_id) ?? []).map(({ group_id, starts_on, ends_on, state }) => [
        group_id,
        { state, period: { starts_on, ends_on } },
      ]),
    ),
  }))
}

/** Lines whose own name has the word, or which are in a group whose name has it; `expiring` those with days that end within seven. */
export function matching<L extends MatrixLine<unknown>>(
  lines: readonly L[],
  groups: GroupMatrix['groups'],
  { word = '', expiring = false }: { word?: string | undefined; expiring?: boolean },
): L[] {
  const has = (name: string) => name.toLocaleLowerCase().includes(word.toLocaleLowerCase())
  const meant = new Set(groups.filter(({ name }) => has(name)).map(({ id }) => id))
  return lines.filter(
    ({ name, cells }) =>
      (word === '' || has(name) || [...cells.keys()].some((id) => meant.has(id))) &&
      (!expiring || [...cells.values()].some(({ state }) => state === 'expiring')),
  )
}
