// 契約已到期: a position left open in a month that is over is closed by the price somebody fills in. Apart from strategy.ts, as its shape is.
import type { InputOf } from '#contract/endpoint.ts'
import { settleExpiry } from '#contract/strategy.ts'
import type { Ctx } from '../context.ts'
import { askAgain, fetchUntold, getData, write } from '../current.ts'
import { keys } from '../keys.ts'

export const expiryMutations = {
  settle: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof settleExpiry>) => getData().client.call(settleExpiry, input, { ctx }),
      () => {
        void askAgain(keys.strategy.all(ctx))
        fetchUntold()
      },
    ),
}
