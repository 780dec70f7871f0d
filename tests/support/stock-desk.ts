// A strategy of stocks with rules of signals, and what one says to it and asks of it.
import type { Endpoint, InputOf } from '#contract/endpoint.ts'
import { createStockSetting } from '#contract/stock-signal-setting.ts'
import { createStrategy, type Strategy, type StrategyInput } from '#contract/strategy.ts'
import type { Desk } from './desk.ts'
import { send } from './people.ts'

let named = 0
let said = 0

/** Helpers on a desk that is open by the time they are called. */
export function stockDesk(desk: () => Desk) {
  return {
    /** A strategy of any stocks, in 張. */
    stocks: (more: object = {}) =>
      desk().person.call(createStrategy, {
        kind: 'stock',
        name: `一籃子 ${++named}`,
        max_position: 1_000,
        settings: { symbols: [], unit: 'board_lot' },
        ...more,
      } as StrategyInput),
    /** One message of its webhook: one 張 at 100. */
    say: (of: Strategy, symbol: string, action: string, more: object = {}) =>
      desk().hook(of, { id: `m${++said}`, symbol, action, quantity: 1, price: 100, ...more }),
    rule: (of: Strategy, name: string, more: object = {}, applies_to: 'strategy' | 'me' = 'strategy') =>
      desk().person.call(createStockSetting, { id: of.id, applies_to, name, ...more }),
    /** The error that a call is answered with, as text. */
    async refusal<E extends Endpoint>(
      endpoint: E,
      input: InputOf<E>,
      who = desk().person,
      headers: Record<string, string> = {},
    ): Promise<string> {
      const answer = await send(desk().server, endpoint, input, {
        authorization: `Bearer ${who.token}`,
        ...headers,
      })
      const { error } = (await answer.json()) as { error?: object }
      return JSON.stringify(error ?? {})
    },
  }
}
