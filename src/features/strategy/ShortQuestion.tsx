/* 這個策略做空嗎？: asked at the first short of a strategy of which nobody has said it; the answer folds its record anew. */
import { useMutation } from '@tanstack/react-query'
import type { Strategy } from '#contract/strategy.ts'
import { strategyMutations } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { assetOf } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { Banner } from '#ui/EmptyState.tsx'

export function ShortQuestion({ strategy, coming = false }: { strategy: Strategy; coming?: boolean }) {
  const stock = assetOf(strategy) === 'stock'
  const answer = useMutation({
    ...strategyMutations.update(useCtx()),
    onSuccess: ({ direction }) =>
      toast({
        title: direction === 'long' ? '記下了：只做多' : '記下了：多空都做，部位與損益已重算',
        icon: 'check',
      }),
  })
  if (!strategy.can.includes('edit')) return null
  const say = (direction: 'both' | 'long') =>
    answer.mutate({
      id: strategy.id,
      direction,
      // stocks are sold short within a day only
      ...(stock && direction === 'both' && { settings: { allow_day_trade: true } }),
    })
  return (
    <Banner
      tone="warn"
      icon="warning"
      action={
        <span className="row gap8">
          <Button size="s" busy={answer.isPending} onClick={() => say('both')}>
            做空
          </Button>
          <Button size="s" disabled={answer.isPending} onClick={() => say('long')}>
            只做多
          </Button>
        </span>
      }
    >
      這個策略做空嗎？{coming ? '回答以前，' : '做空的訊號收下了，'}部位先不動
      {coming ? '。' : '；回答後重算。'}
      {stock && '股票要先賣後買，會一併允許現股當沖。'}
      {answer.error && ` ${failureSentence(answer.error, '')}`}
    </Banner>
  )
}
