// Every key of the browser's answers, spelled here and nowhere else. The first part says whose the answer is: a context's, or the
// person's in every context. What belongs to an organization stands under its context: revoking takes that, and nothing else.
import type { Ctx } from './context.ts'

/** First part of a key: a context, or the person regardless of context (profile, sessions, products). */
export type KeyScope = Ctx | 'person'
/** Every key starts so, and one identity's answers cannot be reached from another. */
export type Key = readonly [KeyScope, ...unknown[]]

/** The spelling stands in the type: src/early.ts has to say the same without importing it. */
type Under<Path extends readonly string[], Rest extends readonly unknown[]> = (
  ctx: Ctx,
  ...rest: Rest
) => readonly [Ctx, ...Path, ...Rest]

/** The path of a key under a context, then what it takes beside the context. */
const under =
  <const Path extends readonly string[]>(...path: Path) =>
  <Rest extends readonly unknown[] = []>(): Under<Path, Rest> =>
  (ctx, ...rest) => [ctx, ...path, ...rest]

/** An array in place of a function is one key for ever: who compares by hash makes it once. */
const mine = <const Path extends readonly string[]>(...path: Path) => ['person', ...path] as const

export const keys = {
  /** Everything of a context. */
  all: under()(),
  /** Everything of a noun in a context, for who has only the noun's name (a call that waited). */
  noun: under()<[noun: string]>(),
  dashboard: under('dashboard')(),
  signal: {
    all: under('signal')(),
    one: under('signal', 'one')<[id: string]>(),
  },
  strategy: {
    all: under('strategy')(),
    /** `filters` absent: with any. */
    list: under('strategy', 'list')<[filters?: object]>(),
    one: under('strategy', 'one')<[id: string]>(),
    statistics: under('strategy', 'statistics')<[id: string, from: string | null]>(),
    stocks: under('strategy', 'stocks')<[id: string, from: string | null]>(),
    latency: under('strategy', 'latency')<[id: string]>(),
    rules: under('strategy', 'rules')<[id: string]>(),
    /** `filter` absent: with any. */
    original: under('strategy', 'original')<[id: string, filter?: object]>(),
  },
  /** Of all of them. Not under the strategies: no signal changes a name. */
  strategyNames: under('strategy-names')(),
  /** A picture of a strategy's note: not under the strategy, whose changes are none of the picture's. */
  noteImage: under('note-image')<[strategy_id: string, image_id: string]>(),
  /** Folded on the device; never kept. */
  figures: {
    /** Without the rest: of any length of the record, by any terms. */
    of: under('figures')<
      [
        id: string,
        from: string | null,
        ...rest: [] | [length: number, terms: string, closed_days: string, tables: string],
      ]
    >(),
    /** Of each stock; parts as in `of`. */
    stocks: under('figures', 'stocks')<
      [
        id: string,
        from: string | null,
        ...rest: [] | [length: number, terms: string, closed_days: string, tables: string],
      ]
    >(),
    standing: under('figures', 'board')<[heads: string, closed_days: number, tables: string]>(),
  },
  webhook: {
    all: under('webhook')(),
    /** `id` absent: of every strategy. */
    ofStrategy: under('webhook', 'of-strategy')<[id?: string]>(),
    /** `filter` absent: with any. */
    deliveries: under('webhook', 'deliveries')<[id: string, filter?: object]>(),
    formats: under('webhook', 'formats')<[id: string]>(),
    replayable: under('webhook', 'replayable')<[id: string, filter: object]>(),
  },
  mapping: {
    learn: under('mapping', 'learn')<[webhook_id: string, delivery_id: string]>(),
    preview: under('mapping', 'preview')<[webhook_id: string, of: object]>(),
  },
  group: {
    all: under('group')(),
    /** `filters` absent: with any. */
    list: under('group', 'list')<[filters?: object]>(),
    every: under('group', 'every')(),
    one: under('group', 'one')<[id: string]>(),
    matrix: under('group', 'matrix')(),
    /** `page` absent: with any. */
    members: under('group', 'members')<[id: string, page?: object]>(),
    strategies: under('group', 'strategies')<[id: string]>(),
  },
  organization: {
    all: under('organization')(),
    one: under('organization', 'one')<[id: string]>(),
    strategies: under('organization', 'strategies')<[id: string, filters: object]>(),
    access: under('organization', 'access')<[id: string, question: object]>(),
  },
  membership: {
    all: under('membership')(),
    list: under('membership', 'list')<[id: string, filters: object]>(),
    admins: under('membership', 'admins')<[id: string]>(),
  },
  /** What an organization has sent stands under it: its events tell of invitations too. All of it without `rest`. */
  invitations: under('organization', 'invites')<[] | [id: string, filters: object]>(),
  /** Links and requests stand under the organization as its invitations do. */
  join: {
    links: under('organization', 'links')<[id: string]>(),
    requests: under('organization', 'requests')<[id: string, filters: object]>(),
  },
  usage: under('usage')<[id: string]>(),
  /** What an organization announced; what the platform did is the person's. */
  announcement: {
    all: under('announcement')(),
    /** `filters` absent: with any. */
    list: under('announcement', 'list')<[filters?: object]>(),
    one: under('announcement', 'one')<[id: string]>(),
    managed: under('announcement', 'managed')<[filters: object]>(),
  },
  /** The person's own: nothing in here says more of an organization than that it is, or was, one of theirs. */
  person: {
    all: mine(),
    user: mine('user'),
    profile: mine('profile'),
    sessions: mine('sessions'),
    usage: mine('usage'),
    organizations: mine('organization'),
    my_organizations: mine('organization', 'mine'),
    my_invitations: mine('invitation', 'mine'),
    my_requests: mine('join', 'mine'),
    invitation: (code: string) => mine('invitation', 'behind', code),
    products: mine('market', 'products'),
    calendar: mine('market', 'calendar'),
    tables: mine('market', 'tables'),
    securities: (version: string) => mine('market', 'securities', version),
    search: (typed: string) => mine('market', 'search', typed),
    reset: (token: string) => mine('reset', token),
    interaction: (uid: string) => mine('oauth-interaction', uid),
    grants: mine('oauth-grants'),
    providers: mine('sso-providers'),
    contacts: mine('contacts'),
    outbox_of_others: mine('outbox-of-others'),
    push_devices: mine('push-devices'),
    /** Everything that was told to me. It speaks of organizations: revoking takes their part (query.ts). */
    notifications: mine('notification'),
    inbox: mine('notification', 'inbox'),
    /** What of the signals was told, and read. */
    signals: mine('notification', 'signals'),
    all_deliveries: mine('notification', 'deliveries'),
    deliveries: (filter: object) => ['person', 'notification', 'deliveries', filter] as const,
    notification_setting: mine('notification-setting'),
    /** The platform's, to everybody. */
    platform: mine('platform'),
    platform_lists: mine('platform', 'list'),
    platform_list: (filters: object) => ['person', 'platform', 'list', filters] as const,
    platform_one: (id: string) => mine('platform', 'one', id),
    channels: mine('notification-channel'),
    binding: (channel: string) => mine('notification-channel', 'binding', channel),
    /** Everything of a noun, for who has only its name (a call that waited). */
    noun: (noun: string) => mine(noun),
  },
} as const

/** The context a kept answer belongs to; what is the person's own is filed under personal (wire.md §1). */
export function keyCtx(key: readonly unknown[]): Ctx {
  const scope = String(key[0])
  return scope.startsWith('org:') ? (scope as Ctx) : 'personal'
}

/** True when `key` stands under `whole`: it begins with all its parts. */
export const isUnder = (key: readonly unknown[], whole: Key): boolean =>
  whole.every((part, at) => key[at] === part)

/** What the kept text of every key that stands under `whole` begins with. */
export const textUnder = (whole: Key): string => `${JSON.stringify(whole).slice(0, -1)},`

/** True for a list of announcements: the platform's, or an organization's whoever one acts as. */
export const isAnnouncementList = (key: readonly unknown[]): boolean =>
  isUnder(key, keys.person.platform_lists) || isUnder(key, keys.announcement.list(keyCtx(key)))

/** True for what is the person's in every context. */
export const isPersons = (key: readonly unknown[]): boolean => key[0] === 'person'

/** True for answers that are asked for again after a switch to `ctx`: everything of it, and which organizations are mine (spec §4). */
export function switchInvalidates(key: readonly unknown[], ctx: Ctx): boolean {
  return key[0] === ctx || isUnder(key, keys.person.organizations)
}

const OWN_PATHS: Readonly<Record<string, Key>> = {
  '/user/profile': keys.person.profile,
  '/user/organizations': keys.person.my_organizations,
  '/user/invites': keys.person.my_invitations,
  '/user/join-requests': keys.person.my_requests,
}

/** Whose query the answer to a question of src/early.ts is, by its path after the version. The records of a list are in no query. */
export function keyOfPath(path: string, ctx: Ctx): Key | undefined {
  const [pathname = '', search = ''] = path.split('?')
  const given = new URLSearchParams(search)
  const [, noun, id, part] = pathname.split('/')
  const own = OWN_PATHS[pathname]
  if (own) return own
  if (noun === 'dashboard') return keys.dashboard(ctx)
  if (noun === 'signals' && id !== undefined) return keys.signal.one(ctx, id)
  if (noun !== 'strategies') return undefined
  if (part === 'statistics') return keys.strategy.statistics(ctx, id ?? '', given.get('from'))
  if (id !== undefined) return keys.strategy.one(ctx, id)
  return keys.strategy.list(ctx, { ...Object.fromEntries(given), page_size: Number(given.get('page_size')) })
}
