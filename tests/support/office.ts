// A server with an organization, made through the real calls: its admin, and whoever is invited into it.
import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts'
import { acceptInvite, createInvites } from '#contract/join.ts'
import { createOrganization, type Organization } from '#contract/organization.ts'
import type { Role } from '#contract/permissions.ts'
import { createStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import { addDays, taipei } from '#trading/calendar.ts'
import { type Person, signUp } from './people.ts'
import { type Engine, startServer, type TestServer } from './server.ts'

export interface Office {
  server: TestServer
  admin: Person
  organization: Organization
  /** Today in Taipei by the server's clock, `n` days on. */
  day(n?: number): string
  /** Turns the server's clock on. */
  pass(ms: number): void
  /** A call in the organization's context. */
  inside<E extends Endpoint>(person: Person, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>
  /** A new person who was invited and has accepted. */
  join(
    name: string,
    over?: { role?: Role; expires_on?: string | null; group_ids?: string[] },
  ): Promise<Person>
  /** The code of the newest invitation mailed to the address. */
  code(email: string): Promise<string>
  /** A strategy of the organization. */
  strategy(name?: string): Promise<Strategy>
  /** Events of a scope and kind, in order. */
  told(scope: string, kind: string): Promise<Record<string, unknown>[]>
  /** How many rows a table holds of the organization. */
  count(table: 'memberships' | 'invites' | 'strategy_groups', where?: Record<string, string>): Promise<number>
}

const START_MS = Date.parse('2026-03-10T04:00:00.000Z')

/** Starts the server and makes the organization. */
export async function openOffice(engine: Engine): Promise<Office> {
  let now_ms = START_MS
  const server = await startServer({ engine, overrides: { now: () => now_ms } })
  const admin = await signUp(server, '林站長')
  const organization = await admin.call(createOrganization, { name: '浪花訊號社' })
  const { db } = server.app
  let made = 0
  const office: Office = {
    server,
    admin,
    organization,
    day: (n = 0) => addDays(taipei(new Date(now_ms).toISOString()).date, n),
    pass: (ms) => {
      now_ms += ms
    },
    inside: (person, endpoint, input) =>
      person.call(endpoint, input, { 'lb-org-id': office.organization.id }),
    async join(name, over = {}) {
      const person = await signUp(server, name)
      await office.inside(admin, createInvites, { id: organization.id, emails: [person.email], ...over })
      await person.call(acceptInvite, { code: await office.code(person.email) })
      return person
    },
    async code(email) {
      for (let i = 0; i < 2_400; i++) {
        const mine = (await server.mails()).filter(
          ({ to, text }) => to === email && text.includes('?invite='),
        )
        const code = /\?invite=([\w-]+)/.exec(mine.at(-1)?.text ?? '')?.[1]
        if (code) return code
        await new Promise((next) => setTimeout(next, 25))
      }
      throw new Error(`no invitation for ${email} in the mails`)
    },
    strategy: (name = `策略 ${++made}`) =>
      office.inside(admin, createStrategy, {
        kind: 'futures',
        name,
        settings: { product_code: 'TXF' },
      } as StrategyInput),
    async told(scope, kind) {
      const rows = await db
        .selectFrom('events')
        .select('data')
        .where('scope', '=', scope)
        .where('kind', '=', kind)
        .orderBy('seq')
        .execute()
      return rows.map(({ data }) => JSON.parse(data) as Record<string, unknown>)
    },
    async count(table, where = {}) {
      let found = db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('count'))
        .where('organization_id', '=', organization.id)
      for (const [name, value] of Object.entries(where))
        found = found.where(db.dynamic.ref<string>(name) as never, '=', value as never)
      return Number((await found.executeTakeFirstOrThrow()).count)
    },
  }
  return office
}
