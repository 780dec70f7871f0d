/* 部位不一致: what the source says, what stands here, and the three answers; once answered, one line that says who and what. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { PositionGap, Strategy } from '#contract/strategy.ts'
import { gapMutations } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { manualHref, useManual } from '#screen/keys.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { assetOf } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { Banner } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { takesManual } from '../../manual/actions.ts'
import css from './GapCard.module.css'
import { gapWords } from './gap.ts'

const DONE = { source: '已記下：以來源為準', ignore: '已記下：忽略這次不一致' } as const

export function GapCard({ strategy, gap }: { strategy: Strategy; gap: PositionGap }) {
  const ctx = useCtx()
  const manual = useManual()
  const [again, setAgain] = useState(false)
  const words = gapWords(gap, assetOf(strategy))
  const save = useMutation({
    ...gapMutations.answer(ctx),
    onSuccess: (made, { answer }) => {
      setAgain(false)
      if (answer === 'add') return
      toast({
        title: made ? '已另記一筆，部位跟上來源；它的價格待補' : DONE[answer],
        icon: 'check',
      })
    },
  })
  if (words.answered && !again)
    return (
      <Banner
        icon="check"
        action={
          <Button size="s" onClick={() => setAgain(true)}>
            重新回答
          </Button>
        }
      >
        {words.where} 的部位不一致（{words.both}）：{words.answered}。
      </Banner>
    )
  const say = (answer: 'source' | 'ignore') =>
    save.mutate({ id: strategy.id, signal_id: gap.signal_id, answer })
  const adding = `${manualHref(strategy.id)}&gap=${gap.signal_id}`
  return (
    <section className={`card ${css.card}`} aria-label="部位不一致">
      <div className={css.what}>
        <h2 className="row gap6">
          <Icon name="warning" className={css.sign} />
          <span>
            平台部位與來源不一致（<span className="nowrap">平台 {words.held}</span>／
            <span className="nowrap">來源 {words.reported}</span>），可能漏收訊號
          </span>
        </h2>
        <p className="ink2 num">
          {words.where} 的訊號說，在它之前來源是{words.reported}；這裡的紀錄是{words.held}。收下它之後，這裡是
          {words.after}。
        </p>
        <Refused text={save.error && failureSentence(save.error, '還沒有記下，')} />
      </div>
      <ul className={css.answers}>
        {takesManual(strategy) && (
          <li>
            <Button kind="filled" wide {...manual.to(adding)}>
              補一筆
            </Button>
            <p>補上漏收的那一筆，時間在它之前；之後的部位與損益會重算。</p>
          </li>
        )}
        <li>
          <Button
            wide
            busy={save.isPending && save.variables?.answer === 'source'}
            onClick={() => say('source')}
          >
            以來源為準
          </Button>
          <p>部位照來源說的走，漏掉的損益不補。</p>
        </li>
        <li>
          <Button
            wide
            busy={save.isPending && save.variables?.answer === 'ignore'}
            onClick={() => say('ignore')}
          >
            忽略
          </Button>
          <p>不改任何東西，只記下你看過這一次。</p>
        </li>
      </ul>
    </section>
  )
}
