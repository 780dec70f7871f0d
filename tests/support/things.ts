// One of everything that calls can name (matrix.ts), made for a person through the real calls.
import { listSessions } from '#contract/session.ts'
import { createStrategy } from '#contract/strategy.ts'
import type { HookAnswer } from '#contract/webhook.ts'
import type { Things } from './matrix.ts'
import { type Person, type Reachable, signIn } from './people.ts'

/** `mark` stands in what the person writes; `headers` name the organization, if it is to be one's. */
export async function makeThings(
  server: Reachable,
  person: Person,
  mark = '一件',
  headers: Record<string, string> = {},
): Promise<Things> {
  const made = await person.call(
    createStrategy,
    { kind: 'futures', name: mark, note: mark, tags: ['mark'], settings: { product_code: 'TXF' } },
    headers,
  )
  const webhook = made.webhooks?.[0]
  const path = new URL(webhook?.url as string).pathname
  const post = async (body: string) =>
    (await (await server.request(path, { method: 'POST', body })).json()) as HookAnswer
  const message = { symbol: 'TXF1!', action: 'buy', quantity: 1, price: 23_000, note: mark }
  const { signal_id } = await post(JSON.stringify(message))
  // What cannot be read may be tried again.
  const { delivery_id } = await post(`${mark} is no signal`)
  const spare = await signIn(server, person.email)
  const session_id = (await spare.call(listSessions, {})).find(({ current }) => current)?.id
  return {
    strategy_id: made.id,
    strategy_name: made.name,
    webhook_id: webhook?.id as string,
    delivery_id: delivery_id as string,
    signal_id: signal_id as string,
    session_id: session_id as string,
    email: person.email,
  }
}
