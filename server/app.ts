// Puts the server together: what every part is handed, and every door under one fetch.
import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { Method } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { checkedBefore, identify } from './access/actor.ts'
import { startTakingCommands } from './announcement/publish.ts'
import { announcementRoutes } from './announcement/routes.ts'
import { refuseHalfRestored } from './backup/restore.ts'
import { startChecks } from './check.ts'
import { TrustedClock } from './clock.ts'
import type { Config } from './config.ts'
import type { App } from './context.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { hold, waitForHolder } from './db/holder.ts'
import { agreeOnKeys, beginLineage, EMPTY, heads, watchLineage } from './db/lineage.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { demoDoor } from './demo/routes.ts'
import { EventHub } from './events/hub.ts'
import { startRelay } from './events/relay.ts'
import { fileRoutes } from './file/routes.ts'
import { groupRoutes } from './group/routes.ts'
import { startTidyingOwn } from './housekeeping.ts'
import { clientAddress } from './http/address.ts'
import { failure, hasOneHost, refusal, refuseHosts, respond } from './http/answer.ts'
import { documentRoutes } from './http/documents.ts'
import type { Route } from './http/handle.ts'
import { healthRoutes, watchDisk } from './http/health.ts'
import { openLog } from './http/log.ts'
import { secureHeaders } from './http/secure.ts'
import { lingerAfter } from './http/sockets.ts'
import { type Files, staticRoutes } from './http/static.ts'
import { Intake } from './ingest/intake.ts'
import { hookRoutes } from './ingest/routes.ts'
import { WebhookEndpoint } from './ingest/webhook-endpoint.ts'
import { invitationRoutes } from './invitation/routes.ts'
import { kindsOf } from './job-kinds.ts'
import { Jobs } from './jobs/jobs.ts'
import { mailBox } from './jobs/mails.ts'
import { joinRoutes } from './join/routes.ts'
import { hasKeys, marksOf, openKeys, openVapid } from './keys.ts'
import { Exports } from './limits/concurrency.ts'
import { Background, CallQueue } from './limits/fair-queue.ts'
import { Guesses } from './limits/guesses.ts'
import { network } from './limits/network.ts'
import { Rates } from './limits/rate.ts'
import { Mailer } from './mail/mailer.ts'
import { keepMarket } from './market/market.ts'
import { marketRoutes } from './market/routes.ts'
import { membershipRoutes } from './membership/routes.ts'
import { unsubscribeRoutes } from './notify/channels/email.ts'
import { lineRoutes } from './notify/channels/line.ts'
import { pushRoutes } from './notify/channels/push.ts'
import { telegramRoutes } from './notify/channels/telegram/updates.ts'
import { Notifier } from './notify/notifier.ts'
import { CHANNEL_OF } from './notify/registry.ts'
import { addressedRoutes, notifyRoutes } from './notify/routes.ts'
import { bearersOf, mountOidc, openOidc } from './oidc/provider.ts'
import { oauthRoutes } from './oidc/routes.ts'
import { organizationRoutes } from './organization/routes.ts'
import { openOutgoing } from './outgoing.ts'
import { profileRoutes } from './profile/routes.ts'
import { FoldCache } from './record/fold-cache.ts'
import { keepBefore, Refolds } from './record/refold.ts'
import { openPasswords } from './session/passwords.ts'
import { sessionRoutes } from './session/routes.ts'
import { tellTwins } from './session/store.ts'
import { signalRoutes } from './signal/routes.ts'
import { ssoDoor, ssoRoutes } from './sso/routes.ts'
import { strategyRoutes } from './strategy/routes.ts'
import { eventsAfter } from './stream/read.ts'
import { eventRoutes, placeOf } from './stream/stream.ts'
import { RoomKeeper } from './usage/room.ts'
import { formatRoutes, webhookRoutes } from './webhook/routes.ts'

export interface Server {
  readonly app: App
  readonly routes: readonly Route[]
  readonly fetch: Hono['fetch']
  /** Everything there is on the port: `fetch`, the OpenID provider beside it, plain posts to webhooks before both. */
  readonly listener: RequestListener
  /** Takes no more signals (503), finishes those it has, ends the streams. Other calls still work. */
  drain(): Promise<void>
  /** Closes mail and database. */
  close(): Promise<void>
}

/** Parts a test may bring itself. */
export type Overrides = Partial<Pick<App, 'now' | 'log' | 'outgoing' | 'passwords'>> & {
  /** Nothing is planned or sent, or done by the time, but when it is told to: what a test looks at is then its own doing. */
  readonly notify?: 'by hand'
  /** The bounds of every owner's room, times this. */
  readonly room?: number
  /** The built app, where it was read for another server already. */
  readonly files?: Files
}

/** Every noun's calls. */
const NOUNS: readonly ((app: App) => Route[])[] = [
  sessionRoutes,
  profileRoutes,
  organizationRoutes,
  membershipRoutes,
  invitationRoutes,
  joinRoutes,
  groupRoutes,
  announcementRoutes,
  strategyRoutes,
  webhookRoutes,
  formatRoutes,
  signalRoutes,
  marketRoutes,
  dashboardRoutes,
  notifyRoutes,
  pushRoutes,
  telegramRoutes,
  lineRoutes,
  eventRoutes,
  oauthRoutes,
  ssoRoutes,
  addressedRoutes,
]

/** Opens database, keys and mail, and mounts every route. */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<Server> {
  const log = overrides.log ?? openLog(config)
  await refuseHalfRestored(config)
  const database = await openDatabase(config, (error) =>
    log.error({ err: error }, 'database connection lost'),
  )
  try {
    database.condition.tellTo(log)
    if (database.engine === 'sqlite')
      await waitForHolder(database.db, config.data_dir, (line) => console.error(line))
    const ran = await migrate(database.db)
    await database.hurry()
    const now = overrides.now ?? Date.now
    const watched = { condition: database.condition, log }
    const held = database.engine === 'sqlite' ? await hold(database.db, config.data_dir, watched) : null
    const lineage = await beginLineage(database.db, now())
    const letGo = held ?? watchLineage(database.db, lineage, watched)
    if (ran.length > 0) log.debug({ migrations: ran }, 'database is up to date')
    await tellTwins(database.db, ran, log)
    const say = (line: string) => {
      console.error(line)
      log.error(line)
    }
    if (ran.includes('001-first') && hasKeys(config)) say(EMPTY)
    await keepBefore(database.db)
    const parts = { config, db: database.db, log, now, keys: openKeys(config.data_dir, config.keys) }
    // What a piece reads is read elsewhere, on both databases: others go on meanwhile.
    const background = new Background({ at_once: 4, busy: () => app.intake.busy })
    const oidc = await openOidc(parts)
    const market = await keepMarket(parts)
    const app: App = {
      ...parts,
      trusted_clock: new TrustedClock(parts),
      engine: database.engine,
      reads: database.reads,
      condition: database.condition,
      lineage,
      oidc,
      readBearer: bearersOf(parts, oidc),
      identify: async (who, endpoint) => (await identify(app, who, endpoint)).actor,
      placeOf: (uid) => placeOf(app, uid),
      passwords: overrides.passwords ?? openPasswords(),
      mail: new Mailer(config, log),
      outgoing: overrides.outgoing ?? openOutgoing(config),
      vapid: openVapid(config),
      events: new EventHub(),
      limits: new Rates(config.limit_factor),
      guesses: new Guesses(parts, config.limit_factor),
      fold_cache: new FoldCache(),
      intake: new Intake(() => app, { per_minute: config.hook_rate_per_minute, burst: config.hook_burst }),
      background,
      refolds: new Refolds(() => app),
      jobs: new Jobs(
        () => app,
        () => kindsOf(app),
        () => app.intake.pressed,
      ),
      market,
      exports: new Exports(background),
      room: new RoomKeeper(() => app, overrides.room),
      channels: CHANNEL_OF,
      pressed: () => app.intake.pressed,
      notifier: new Notifier(() => app),
    }
    if (config.smtp_url !== null) app.mail.box = mailBox(app)
    await agreeOnKeys(app.db, lineage, marksOf(app.keys, app.vapid, oidc?.mark), say)
    const routes = NOUNS.flatMap((routesOf) => routesOf(app))
    const hono = new Hono()
    const hooks = new WebhookEndpoint(app)
    hono.route('/hooks', hookRoutes(app, hooks))
    hono.route('/files', fileRoutes(app))
    hono.route('/unsubscribe', unsubscribeRoutes(app))
    const demo = demoDoor(app)
    if (demo) hono.route('/demo-receivers', demo)
    hono.route('/api', documentRoutes(app))
    hono.route('/api/v1/sso', ssoDoor(app))
    hono.route('/api', api(app, routes))
    hono.route(
      '/',
      healthRoutes(app, () => stopping),
    )
    hono.route('/', staticRoutes(app, overrides.files))
    if (overrides.notify !== 'by hand') app.notifier.start()
    if (overrides.notify === 'by hand') app.jobs.holdTimed()
    await app.jobs.start()
    const stopTaking = overrides.notify === 'by hand' ? null : startTakingCommands(app)
    const stopTidying = startTidyingOwn(app)
    const stopWatchingDisk = watchDisk(app)
    const stopChecks = startChecks(app)
    app.events.readBy({
      head: async (scope) => (await heads(app.db, [scope])).get(scope) ?? 0,
      after: (scope, seq) => eventsAfter(app.db, scope, seq),
    })
    const stopRelay = config.database_url === null ? null : startRelay(app, config.database_url)
    let stopping = false
    async function drain() {
      stopping = true
      app.events.endAll()
      await app.intake.close()
    }
    const { host } = new URL(config.public_url)
    const hsts = secureHeaders(config.public_url)['strict-transport-security']
    const routed = mountOidc(app, getRequestListener(hono.fetch, { overrideGlobalObjects: false }))
    return {
      app,
      routes,
      fetch: hono.fetch,
      listener: (incoming, outgoing) => {
        if (hsts !== undefined) outgoing.setHeader('strict-transport-security', hsts)
        lingerAfter(incoming)
        if (!hasOneHost(incoming, host)) refuseHosts(incoming, outgoing)
        else if (!hooks.direct(incoming, outgoing)) routed(incoming, outgoing)
      },
      drain,
      async close() {
        await drain()
        await market.stop()
        await app.notifier.stop()
        await app.jobs.stop()
        await app.fold_cache.stop()
        await app.room.stop()
        stopWatchingDisk()
        await stopTaking?.()
        await stopTidying()
        await stopChecks()
        await stopRelay?.()
        await app.mail.close()
        await app.guesses.settled()
        app.outgoing.close()
        await letGo()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Everything under /api: what is not there answers the envelope, never the app's page. */
function api(app: App, routes: readonly Route[]): Hono {
  const router = new Hono()
  const calls = new CallQueue()
  const methods = new Map<string, Set<Method>>()
  for (const route of routes) {
    const { method, path, name } = route.endpoint
    router.on(method, `/v1${path}`, async (c) => {
      await calls.enter(callerOf(app, c))
      return timed(app, name, c, route)
    })
    methods.set(path, (methods.get(path) ?? new Set()).add(method))
  }
  for (const [path, allowed] of methods)
    router.all(`/v1${path}`, async (c) => {
      const answer = await respond(refusal(new ApiError(4050)), undefined)
      answer.headers.set('allow', [...allowed].join(', '))
      return c.req.method === 'HEAD' ? new Response(null, answer) : answer
    })
  router.all('*', () => respond(refusal(new ApiError(4040, { text: '沒有這個網址' })), undefined))
  router.onError((error) => respond(refusal(failure(app, error, 'api')), undefined))
  return router
}

/** The person of a token that was right before, else the address: made-up tokens are no callers of their own. */
function callerOf(app: App, c: Context): string {
  const [, token = ''] = c.req.header('authorization')?.split(' ') ?? []
  return checkedBefore(app, token)?.uid ?? network(clientAddress(app.config, c))
}

async function timed(app: App, name: string, c: Context, route: Route): Promise<Response> {
  const started = performance.now()
  const answer = await route.fetch(c)
  // Devices set their clock by it: one clock decides and tells.
  answer.headers.set('date', new Date(app.now()).toUTCString())
  const took = { name, status: answer.status, ms: Math.round(performance.now() - started) }
  if (took.ms >= 1_000) app.log.warn(took, 'slow')
  else app.log.debug(took, 'call')
  return answer
}
