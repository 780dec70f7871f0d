// The people whose screens are looked at: the demonstration's own, one without anything, one who has just begun, one whose names do not fit.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { acceptLink, createLink } from '#contract/join.ts'
import { createOrganization, updateOrganization } from '#contract/organization.ts'
import { getProfile } from '#contract/profile.ts'
import { login } from '#contract/session.ts'
import { signalFeed } from '#contract/signal.ts'
import { createStrategy, listStrategies, type StrategyInput } from '#contract/strategy.ts'
import { readConfig } from '#server/config.ts'
import { DEMO_ACCOUNT, DEMO_PASSWORD, seedDemo } from '#server/seed/demo.ts'
import { DEMO_MEMBER } from '#server/seed/organization.ts'
import { call, type Person, signUp } from '#tests/support/people.ts'
import { type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { clientsFile, REDIRECT } from '#tests/support/third-party.ts'

/** Somebody, as whom they act, and what can be opened then. */
export interface Viewer {
  token: string
  uid: string
  /** null = personal. */
  org_id: string | null
  /** The first of the strategies; '' = none. */
  strategy_id: string
  /** The newest record; '' = none. */
  signal_id: string
}

export interface World {
  server: SpawnedServer
  personal: Viewer
  admin: Viewer
  member: Viewer
  fresh: Viewer
  beginner: Viewer
  /** The beginner's own organization, without anybody else in it. */
  founder: Viewer
  /** Sixty characters wherever a name can stand. */
  wordy: Viewer
  /** Somebody whose request to join the admin's organization waits. */
  applicant: Viewer
  /** The codes of a link into that organization that asks first, and of the organization itself. */
  codes: { link: string; typed: string }
  /** Where an application sends its person to be asked. */
  authorize: string
  close(): Promise<void>
}

async function view(server: SpawnedServer, token: string, org_id: string | null): Promise<Viewer> {
  const headers = { authorization: `Bearer ${token}`, ...(org_id && { 'lb-org-id': org_id }) }
  const { id: uid } = await call(server, getProfile, {}, headers)
  const { items } = await call(server, listStrategies, {}, headers)
  const feed = await call(server, signalFeed, { latest: 'true', limit: 1 }, headers)
  return {
    token,
    uid,
    org_id,
    strategy_id: items[0]?.id ?? '',
    signal_id: feed.items[0]?.id ?? '',
  }
}

async function signedIn(server: SpawnedServer, account: string): Promise<string> {
  const { access_token } = await call(server, login, { account, password: DEMO_PASSWORD })
  return access_token
}

/** The only organization of the token's person. */
async function organizationOf(server: SpawnedServer, token: string): Promise<string> {
  const { organizations } = await call(server, getProfile, {}, { authorization: `Bearer ${token}` })
  return organizations[0]?.id as string
}

const futures = (over: Partial<StrategyInput>) =>
  ({ kind: 'futures', settings: { product_code: 'MXF' }, ...over }) as StrategyInput

async function begin(server: SpawnedServer): Promise<{ beginner: Viewer; founder: Viewer }> {
  const person = await signUp(server, '吳新手')
  await person.call(createStrategy, futures({ name: '第一個策略' }))
  const { id } = await person.call(createOrganization, {
    name: '剛成立的社群',
    introduction: '',
    contact_email: person.email,
  })
  return { beginner: await view(server, person.token, null), founder: await view(server, person.token, id) }
}

/** A link into the organization and its join code, and somebody who asks by the link. */
async function open(
  server: SpawnedServer,
  { token, org_id: id }: Viewer,
): Promise<Pick<World, 'applicant' | 'codes'>> {
  if (id === null) throw new Error('the admin acts for no organization')
  const headers = { authorization: `Bearer ${token}`, 'lb-org-id': id }
  const { join_code } = await call(server, updateOrganization, { id, join_code_enabled: true }, headers)
  const { code: link } = await call(server, createLink, { id }, headers)
  const person = await signUp(server, '許想加入')
  await person.call(acceptLink, { code: link, message: '波段班第三期學員，麻煩老師' })
  return { applicant: await view(server, person.token, null), codes: { link, typed: join_code ?? '' } }
}

/** Fills one strategy whose texts do not fit: one closed trade, one open position, one message that is refused. */
async function overfill(server: SpawnedServer): Promise<Viewer> {
  const person: Person = await signUp(server, '凌'.repeat(60))
  const made = await person.call(
    createStrategy,
    futures({
      name: '波'.repeat(60),
      summary: 'https://example.com/'.padEnd(200, 'w'),
      note: `# 說明\n\n${'W'.repeat(200)}`,
      tags: ['突破', 'M'.repeat(20)],
    }),
  )
  await person.call(createStrategy, futures({ name: 'W'.repeat(60) }))
  await person.call(createOrganization, {
    name: '浪'.repeat(60),
    introduction: '長'.repeat(400),
    contact_email: person.email,
  })
  const hook = new URL(made.webhooks?.[0]?.url as string).pathname
  const fills = [
    { symbol: 'MXF1!', action: 'buy', quantity: 2, price: 46_500 },
    { symbol: 'MXF1!', action: 'sell', quantity: 2, price: 46_541 },
    { symbol: 'MXF1!', action: 'sell', quantity: 3, price: 46_588, note: '進'.repeat(100) },
  ]
  for (const fill of fills) await server.request(hook, { method: 'POST', body: JSON.stringify(fill) })
  await server.request(hook, { method: 'POST', body: '這不是訊號' })
  const viewer = await view(server, person.token, null)
  return { ...viewer, strategy_id: made.id }
}

/** Where the application of `clientsFile` sends people; nobody redeems what comes of it. */
function authorizeUrl(url: string): string {
  const query = {
    client_id: 'robot',
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid email signals:read strategies:read signals:write',
    state: 'looks',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }
  return `${url}/oidc/auth?${new URLSearchParams(query)}`
}

/** Seeds a folder of its own and starts the server on it. */
export async function openWorld(): Promise<World> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-looks-'))
  await seedDemo(readConfig({ DATA_DIR: data_dir, LOG_LEVEL: 'error' }), () => undefined)
  const server = await spawnServer({
    data_dir,
    env: { LOG_LEVEL: 'error', OAUTH_CLIENTS: clientsFile() },
  })
  const trader = await signedIn(server, DEMO_ACCOUNT)
  const member = await signedIn(server, DEMO_MEMBER)
  const fresh = await signUp(server, '周新人', { verify: false })
  const admin = await view(server, trader, await organizationOf(server, trader))
  return {
    server,
    personal: await view(server, trader, null),
    admin,
    ...(await open(server, admin)),
    member: await view(server, member, await organizationOf(server, member)),
    fresh: await view(server, fresh.token, null),
    ...(await begin(server)),
    wordy: await overfill(server),
    authorize: authorizeUrl(server.url),
    async close() {
      await server.stop('SIGKILL')
      rmSync(data_dir, { recursive: true, force: true })
    },
  }
}
