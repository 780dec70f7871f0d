// As a member sees it: what an admin is shown of one member (docs/decisions/access.md). A room of its own beside the person's: other
// answers in memory, every call with LB-View-As, no stream, nothing on the device, nothing that writes.
import { mayBeAsMember } from '#contract/access.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { Member } from '#contract/membership.ts'
import { listMyOrganizations, type MyOrganization } from '#contract/organization.ts'
import { getProfile, type Profile } from '#contract/start.ts'
import { type Client, type ClientPorts, createClient } from './client.ts'
import { ctxOf } from './context.ts'
import type { Data } from './current.ts'
import type { DeviceRecords } from './device/records.ts'
import { createSignals } from './device/signals.ts'
import { keys } from './keys.ts'
import { createCatchUp } from './live/catch-up.ts'
import type { OutboxSnapshot } from './outbox/store.ts'
import { createQuery } from './query.ts'

/** Who is looked at, in which organization. */
export interface Viewed {
  readonly organization_id: string
  readonly member: Member
}

/** `end` brings the person's own room back. */
export interface ViewPorts extends Pick<ClientPorts, 'base_url' | 'online' | 'now'> {
  end(): void
  report(error: unknown, where: string): void
}

const NOTHING: OutboxSnapshot = { rows: [], receipts: [] }
const never = () => undefined
/** Where the person's own room keeps records. */
const NOWHERE: DeviceRecords = {
  ...{ first: async () => undefined, rest: async () => undefined, cursor: async () => null },
  ...{ put: never, add: never, replace: never, forgetStrategy: never, change: never, forget: never },
  ...{ saveFeed: never, saveCursor: never, flush: async () => undefined },
}

/** The room of the view; `own` goes on beneath it: its stream, and its outbox without the header. */
export function createView(own: Data, { organization_id, member }: Viewed, ports: ViewPorts): Data {
  const ctx = ctxOf(organization_id)
  const query = createQuery()
  const signals = createSignals(ctx)
  const running = new AbortController()
  const { profile, mine } = personOf(own, organization_id, member)
  // Who is looked at is known; beyond that the server tells an admin nothing of the person.
  const told = new Map<string, unknown>([
    [getProfile.name, profile],
    [listMyOrganizations.name, [mine]],
  ])
  query.setQueryData(keys.person.profile, profile)
  const wire = createClient({
    ...ports,
    session: own.session,
    view_as: member.user_id,
    // The person's own room finds out by itself what became of the session or the membership.
    on_unauthorized: () => void own.refresh(),
    on_not_member: () => void own.refresh(),
  })
  const client: Client = {
    call: async (endpoint, input, options) =>
      told.has(endpoint.name)
        ? (told.get(endpoint.name) as never)
        : wire.call(allowed(endpoint), input, options),
    download: async (endpoint, input, options) => wire.download(allowed(endpoint), input, options),
    send: () => Promise.reject(new ApiError(4032)),
  }
  const records = createCatchUp({
    client,
    memory: signals,
    on_device: NOWHERE,
    leases: { take: never },
    forgetStrategies: (of, gone) => {
      for (const id of new Set(signals.of(of).items.map(({ strategy_id }) => strategy_id)))
        if (gone(id)) signals.forgetStrategy(of, id)
    },
    signal: running.signal,
    report: (error) => ports.report(error, 'view'),
  })
  const stop = () => {
    running.abort()
    void query.cancelQueries()
    query.clear()
    signals.clear()
  }
  const leaving =
    <Given extends unknown[], Result>(then: (...given: Given) => Result) =>
    (...given: Given): Result => {
      ports.end()
      return then(...given)
    }
  signals.mark(ctx, {})
  void records.run(ctx)
  return {
    client,
    query,
    session: own.session,
    signals,
    connection: own.connection,
    outbox: {
      getSnapshot: () => NOTHING,
      subscribe: () => never,
      send: () => Promise.reject(new ApiError(4032)),
      open: own.outbox.open,
    },
    viewed: { id: member.user_id, name: member.name },
    now: own.now,
    ctx: () => ctx,
    restored: Promise.resolve(),
    begin: leaving(own.begin),
    switchContext: leaving(own.switchContext),
    async refresh() {
      await Promise.all([records.run(ctx), query.invalidateQueries({ queryKey: keys.all(ctx) })])
      const asked = query.getQueryCache().findAll({ queryKey: keys.all(ctx), type: 'active' })
      return ports.online() && asked.every(({ state }) => state.error === null)
    },
    clearCopies: own.clearCopies,
    signOut: leaving(own.signOut),
    look: own.look,
    stop,
  }
}

/** The member as screens know a person: in this organization alone. */
function personOf(
  own: Data,
  organization_id: string,
  { user_id: id, name, email, avatar, expires_on, starts_on, days_left, status }: Member,
): { profile: Profile; mine: MyOrganization } {
  const known = own.query.getQueryData<Profile>(keys.person.profile)
  const entry = known?.organizations.find((one) => one.id === organization_id)
  if (!known || !entry) throw new Error('the organization is not known')
  const organization = { ...entry, role: 'member' as const, expires_on }
  const mine = { ...organization, starts_on, days_left, status }
  return {
    profile: { ...known, id, name, email, avatar, email_verified: true, organizations: [organization] },
    mine: { ...mine, member_count: 0, strategy_count: 0, contact_email: null, sole_admin: false },
  }
}

/** 4032 for what writes, 4030 for what is the person's: the server would say the same. */
function allowed<E extends Endpoint>(endpoint: E): E {
  if (endpoint.method !== 'GET') throw new ApiError(4032)
  if (endpoint.who !== 'public' && !mayBeAsMember(endpoint)) throw new ApiError(4030)
  return endpoint
}
