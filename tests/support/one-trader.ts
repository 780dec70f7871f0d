// A spawned server with one trader and one strategy: what faults of the whole process are tried on.
import type { SignalRecord } from '#contract/signal.ts'
import { signalFeed } from '#contract/signal.ts'
import { createStrategy } from '#contract/strategy.ts'
import { hookPath } from './desk.ts'
import { type Person, signUp } from './people.ts'
import type { SpawnedServer } from './server.ts'

export interface Trader {
  person: Person
  /** The path of the webhook. */
  path: string
  /** Sends a message with this id; gives the status. */
  send(id: string, to?: SpawnedServer): Promise<number>
}

/** Signs a trader up and makes the strategy. */
export async function oneTrader(server: SpawnedServer): Promise<Trader> {
  const person = await signUp(server)
  const settings = { product_code: 'MXF' }
  const path = hookPath(await person.call(createStrategy, { kind: 'futures', name: '一', settings }))
  return {
    person,
    path,
    async send(id, to = server) {
      const body = JSON.stringify({ id, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 })
      return (await to.request(path, { method: 'POST', body })).status
    },
  }
}

/** All records of the person, as the feed tells them. */
export async function wholeFeed(person: Person): Promise<SignalRecord[]> {
  const all: SignalRecord[] = []
  for (let after = 0, more = true; more; ) {
    const page = await person.call(signalFeed, { after, limit: 1_000 })
    all.push(...page.items)
    after = page.next_after
    more = page.more
  }
  return all
}
