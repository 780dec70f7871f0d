// The real server in this process with two calls of its own that count what they did, and two people, for tests of the outbox.
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { QueuedCall } from '#contract/outbox.ts'
import { handle } from '#server/http/handle.ts'
import { makeOrganization } from '#tests/support/organization.ts'
import { signUp } from '#tests/support/people.ts'
import { startServer } from '#tests/support/server.ts'

const lane = { id: z.string() }
export const note = endpoint({
  name: 'probe.note',
  method: 'POST',
  path: '/probe/:id/notes',
  who: 'strategy:view',
  when_offline: 'queue',
  about: '記一筆',
  input: z.object({ ...lane, text: z.string(), refuse: z.optional(z.boolean()) }),
  output: z.object({ text: z.string() }),
})
export const choose = endpoint({
  name: 'probe.choose',
  method: 'PUT',
  path: '/probe/:id/setting',
  who: 'strategy:view',
  when_offline: 'queue',
  about: '設定',
  input: z.object({ ...lane, a: z.optional(z.number()), b: z.optional(z.number()) }),
  output: z.object({ ok: z.boolean() }),
})
/** As a signal entered by hand: by itself it goes for two minutes. */
export const fire = endpoint({
  name: 'probe.fire',
  method: 'POST',
  path: '/probe/:id/fires',
  who: 'strategy:view',
  when_offline: 'queue',
  about: '送出',
  input: z.object({ ...lane, text: z.string(), confirmed_late: z.optional(z.boolean()) }),
  output: z.object({ text: z.string() }),
})
export const calls: Record<string, QueuedCall> = {
  'probe.fire': {
    ...fire,
    label: '送出',
    lasts_ms: 120_000,
    replaces: false,
    dated: false,
    confirms: 'confirmed_late',
  },
  'probe.note': { ...note, label: '記一筆', lasts_ms: 3600_000, replaces: false, dated: false },
  'probe.choose': { ...choose, label: '設定', lasts_ms: 3600_000, replaces: true, dated: false },
}

/** What the server did, in its order. */
export interface Done {
  uid: string
  org_id: string | null
  lane: string
  what: 'note' | 'setting'
  body: Record<string, unknown>
}

/** The server and two people, the first with an organization; made once for many worlds. */
export async function startServerSide() {
  const server = await startServer()
  const people = [
    await signUp(server, '甲', { verify: false }),
    await signUp(server, '乙', { verify: false }),
  ] as const
  const org_id = await makeOrganization(server.app, '組織', [{ uid: people[0].uid, role: 'admin' }])
  let done: Done[] = []
  /** How often the time was asked for. */
  let asked = 0
  // before a test puts its own network in its place
  const direct = globalThis.fetch
  const record =
    (what: Done['what']) =>
    (one: {
      input: { id: string }
      actor: { uid: string; organization_id: string | null }
      tx: { afterCommit(work: () => void): void }
    }) => {
      const { id, ...body } = one.input
      one.tx.afterCommit(() =>
        done.push({ uid: one.actor.uid, org_id: one.actor.organization_id, lane: id, what, body }),
      )
    }
  const routes = [
    handle(server.app, note, async (given) => {
      if (given.input.refuse) throw new ApiError(4220, { fields: { text: '這樣寫不行' } })
      record('note')(given)
      return { text: given.input.text }
    }),
    handle(server.app, fire, async (given) => {
      record('note')(given)
      return { text: given.input.text }
    }),
    handle(server.app, choose, async (given) => {
      record('setting')(given)
      return { ok: true }
    }),
  ]
  const hono = new Hono()
    .post('/api/v1/probe/:id/notes', (routes[0] as (typeof routes)[number]).fetch)
    .post('/api/v1/probe/:id/fires', (routes[1] as (typeof routes)[number]).fetch)
    .put('/api/v1/probe/:id/setting', (routes[2] as (typeof routes)[number]).fetch)
    .get('/api/v1/signals', ({ req }) => {
      asked += 1
      return direct(new URL(req.url).href.replace(new URL(req.url).origin, server.url), {
        headers: req.raw.headers,
      })
    })
  return {
    people,
    org_id,
    fetch: (request: Request) => hono.fetch(request),
    done: () => done,
    asked: () => asked,
    forget: () => {
      done = []
      asked = 0
    },
    close: () => server.close(),
  }
}
export type ServerSide = Awaited<ReturnType<typeof startServerSide>>
