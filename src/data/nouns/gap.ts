// 部位不一致: what somebody answers to a position that the source reported differently. Apart from strategy.ts, as its shape is.
import type { InputOf } from '#contract/endpoint.ts'
import { answerGap } from '#contract/strategy.ts'
import type { Ctx } from '../context.ts'
import { askAgain, fetchUntold, getData, write } from '../current.ts'
import { keys } from '../keys.ts'

export const gapMutations = {
  /** The question goes with the next answer about the strategy; what was made comes by its event. */
  answer: (ctx: Ctx) =>
    write(
      (input: InputOf<typeof answerGap>) => getData().client.call(answerGap, input, { ctx }),
      () => {
        void askAgain(keys.strategy.all(ctx), keys.dashboard(ctx))
        fetchUntold()
      },
    ),
}
