// Every key of the browser's answers, spelled here and nowhere else. The first part says whose the answer is: a context's, or the
// person's in every context. What belongs to an organization stands under its context: revoking takes that, and nothing else.
import type { Ctx } from './context.ts'

/** First part of a key: a context, or the person regardless of context (profile, sessions, products). */
export type KeyScope = Ctx | 'person'
/** Every key starts so, and one identity's answers cannot be reached from another. */
export type Key = readonly [KeyScope, ...unknown[]]

/** `const` parts keep their spelling in the type: src/early.ts has to say the same without importing it. */
const under =
  <const Rest extends readonly unknown[]>(...rest: Rest) =>
  (ctx: Ctx) =>
    [ctx, ...rest] as const

const dashboard = under('dashboard')
const signals = under('signal')
const strategies = under('strategy')
const webhooks = under('webhook')
const mappings = under('mapping')
const groups = under('group')
const organizations = under('organization')
const members = under('membership')
const figures = under('figures')

/** An array in place of a function is one key for ever: who compares by hash makes it once. */
export const keys = {
  /** Everything of a context. */
  all: (ctx: Ctx) => [ctx] as const,
  /** Everything of a noun in a context, for who has only the noun's name (a call that waited). */
  noun: (ctx: Ctx, noun: string) => [ctx, noun] as const,
  dashboard,
  signal: {
    one: (ctx: Ctx, id: string) => [...signals(ctx), 'one', id] as const,
  },
  strategy: {
    all: strategies,
    list: <Filters>(ctx: Ctx, filters: Filters) => [...strategies(ctx), 'list', filters] as const,
    one: (ctx: Ctx, id: string) => [...strategies(ctx), 'one', id] as const,
    statistics: (ctx: Ctx, id: string, from: string | null) =>
      [...strategies(ctx), 'statistics', id, from] as const,
  },
  /** Folded on the device; never kept. */
  figures: {
    of: (ctx: Ctx, id: string, length: number, from: string | null, ...decides: readonly string[]) =>
      [...figures(ctx), id, length, from, ...decides] as const,
    standing: (ctx: Ctx, behind: string, closed_days: number) =>
      [...figures(ctx), 'board', behind, closed_days] as const,
  },
  webhook: {
    all: webhooks,
    /** `id` absent: of every strategy. */
    ofStrategy: (ctx: Ctx, ...id: [] | [string]) => [...webhooks(ctx), 'of-strategy', ...id] as const,
    /** `filter` absent: with any. */
    deliveries: (ctx: Ctx, id: string, ...filter: [] | [object]) =>
      [...webhooks(ctx), 'deliveries', id, ...filter] as const,
    replayable: (ctx: Ctx, id: string, filter: object) =>
      [...webhooks(ctx), 'replayable', id, filter] as const,
  },
  mapping: {
    learn: (ctx: Ctx, webhook_id: string, message: object) =>
      [...mappings(ctx), 'learn', webhook_id, message] as const,
    preview: (ctx: Ctx, webhook_id: string, message: object, settings: string) =>
      [...mappings(ctx), 'preview', webhook_id, message, settings] as const,
  },
  group: {
    all: groups,
    list: (ctx: Ctx, filters: object) => [...groups(ctx), 'list', filters] as const,
    one: (ctx: Ctx, id: string) => [...groups(ctx), 'one', id] as const,
    members: (ctx: Ctx, id: string, page: object) => [...groups(ctx), 'members', id, page] as const,
    strategies: (ctx: Ctx, id: string) => [...groups(ctx), 'strategies', id] as const,
  },
  organization: {
    all: organizations,
    one: (ctx: Ctx, id: string) => [...organizations(ctx), 'one', id] as const,
    strategies: (ctx: Ctx, id: string, filters: object) =>
      [...organizations(ctx), 'strategies', id, filters] as const,
  },
  membership: {
    all: members,
    list: (ctx: Ctx, id: string, filters: object) => [...members(ctx), 'list', id, filters] as const,
    admins: (ctx: Ctx, id: string) => [...members(ctx), 'admins', id] as const,
  },
  invitation: {
    /** Under the organization's: its events tell of invitations too. `rest` absent: all that it has sent. */
    sent: (ctx: Ctx, ...rest: [] | [id: string, filters: object]) =>
      [...organizations(ctx), 'invites', ...rest] as const,
  },
  usage: (ctx: Ctx, id: string) => [ctx, 'usage', id] as const,
  /** The person's own: nothing in here says more of an organization than that it is, or was, one of theirs. */
  person: {
    all: ['person'],
    user: ['person', 'user'],
    profile: ['person', 'profile'],
    sessions: ['person', 'sessions'],
    usage: ['person', 'usage'],
    organizations: ['person', 'organization'],
    my_organizations: ['person', 'organization', 'mine'],
    my_invitations: ['person', 'invitation', 'mine'],
    invitation: (code: string) => ['person', 'invitation', 'behind', code] as const,
    products: ['person', 'market', 'products'],
    calendar: ['person', 'market', 'calendar'],
    reset: (token: string) => ['person', 'reset', token] as const,
    interaction: (uid: string) => ['person', 'oauth-interaction', uid] as const,
    grants: ['person', 'oauth-grants'],
    providers: ['person', 'sso-providers'],
    outbox_of_others: ['person', 'outbox-of-others'],
  },
} as const

/** The context a kept answer belongs to; what is the person's own is filed under personal (wire.md §1). */
export function keyCtx(key: readonly unknown[]): Ctx {
  const scope = String(key[0])
  return scope.startsWith('org:') ? (scope as Ctx) : 'personal'
}

/** True for what is the person's in every context. */
export const isPersons = (key: readonly unknown[]): boolean => key[0] === keys.person.all[0]

/** True for answers that are asked for again after a switch to `ctx`: everything of it, and which organizations are mine (spec §4). */
export function switchInvalidates(key: readonly unknown[], ctx: Ctx): boolean {
  return key[0] === ctx || (isPersons(key) && key[1] === keys.person.organizations[1])
}
