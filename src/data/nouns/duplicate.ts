// 複製: a strategy made after another one. Apart from strategy.ts, as its shape is.
import type { InputOf } from '#contract/endpoint.ts'
import { duplicateStrategy } from '#contract/strategy.ts'
import type { Ctx } from '../context.ts'
import { askAgain, getData, write } from '../current.ts'
import { keys } from '../keys.ts'
import { strategyQueries } from './strategy.ts'

export const duplicateMutations = {
  make: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof duplicateStrategy>) => getData().client.call(duplicateStrategy, input, { ctx }),
      (made) => {
        getData().query.setQueryData(strategyQueries.one(ctx, made.id).queryKey, made)
        void askAgain(keys.all(ctx))
      },
    ),
}
