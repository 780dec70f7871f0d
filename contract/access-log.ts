// Who could see what at a moment, and the changes that made it so (wire.md §3, ruling C42).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { at, day, growing_query, id, seen } from './fields.ts'
import { ROLES } from './permissions.ts'

/** Somebody or something by its id; without a name where what it was called is erased. */
const named = z.object({ id: z.string(), name: z.nullable(z.string()) })
export type Named = z.infer<typeof named>

/** The days on which something leads to a strategy; without a first day the whole record. */
const sight = { visible_from: z.nullable(day()), valid_until: z.nullable(day()) }

const seen_strategy = z.object({
  user: named,
  strategy: named,
  role: z.enum(ROLES),
  ...sight,
  /** The group that gives the earliest records; null for an admin, who sees all strategies. */
  via_group: z.nullable(named),
  /** Every group that leads there on that day. */
  via_groups: z.array(z.object({ ...named.shape, ...sight })),
})
export type SeenStrategy = z.infer<typeof seen_strategy>

/** What was noted: a membership, a place in a group, a strategy given to a group, a strategy that there is; that `actor` looked at what `user` sees. */
const ACCESS_FACTS = ['membership', 'place', 'gift', 'strategy', 'view'] as const

const standing = z.object({
  role: z.nullable(z.enum(ROLES)),
  starts_on: z.nullable(day()),
  ends_on: z.nullable(day()),
})

const access_change = z.object({
  id: z.string(),
  at: at(),
  kind: z.enum(['granted', 'ended', 'changed', 'viewed']),
  fact: z.enum(ACCESS_FACTS),
  user: z.nullable(named),
  strategy: z.nullable(named),
  group: z.nullable(named),
  /** Whose call it was; id `system` where it came about by itself, null where it was not noted. */
  actor: z.nullable(named),
  before: z.nullable(standing),
  after: z.nullable(standing),
})
export type AccessChange = z.infer<typeof access_change>

const cursor = z.optional(z.string().check(z.maxLength(100), seen()))

export const readAccessLog = endpoint({
  name: 'organization.access-log',
  method: 'GET',
  path: '/organizations/:id/access-log',
  who: 'organization:manage',
  when_offline: 'fail',
  about: '某個時刻誰看得到什麼，與到那時為止的變更；before 只接著讀變更，after 只接著讀名單',
  input: z.object({
    id: id(),
    at: z.optional(at()),
    strategy_id: z.optional(id()),
    user_id: z.optional(id()),
    ...growing_query,
    after: cursor,
  }),
  output: z.object({
    at: at(),
    /** The first moment that anything was noted of; before it nothing is known. */
    recorded_since: z.nullable(at()),
    /** Who and what was asked for, by name. */
    user: z.nullable(named),
    strategy: z.nullable(named),
    rows: z.array(seen_strategy),
    next_after: z.nullable(z.string()),
    items: z.array(access_change),
    next_before: z.nullable(z.string()),
  }),
})
