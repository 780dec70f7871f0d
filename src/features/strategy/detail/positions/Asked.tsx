/* What about the positions asks for an answer: a month that is over, a report that does not fit. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import type { Expiry, PositionGap, Strategy } from '#contract/strategy.ts'
import { expiryMutations, gapMutations } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { manualHref, useManual } from '#screen/keys.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { hm, number, ymd } from '#text/format.ts'
import { typedPrice } from '#text/price.ts'
import { averageText } from '#text/row.ts'
import { positionWords } from '#text/signal.ts'
import { contractText } from '#text/strategy.ts'
import { assetOf } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { Banner } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { takesManual } from '../../manual/takes.ts'
import css from '../OverviewTab.module.css'
import { gapsShown, gapWords, grossOf } from './rows.ts'

/** `recorded` the strategy without what waits on this device. */
export function PositionsAsked({ recorded }: { recorded: Strategy }) {
  return (
    <>
      {recorded.expiries?.map((expiry) => (
        <ExpiryCard key={`${expiry.symbol} ${expiry.contract}`} strategy={recorded} expiry={expiry} />
      ))}
      {gapsShown(recorded.position_gaps).map((gap) => (
        <GapCard key={gap.signal_id} strategy={recorded} gap={gap} />
      ))}
    </>
  )
}

/* 部位不一致: what the source says, what stands here, and the three answers; once answered, one line that says who and what. */

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
    <section className={`card ${css.GapCardCard}`} aria-label="部位不一致">
      <div className={css.GapCardWhat}>
        <h2 className="row gap6">
          <Icon name="warning" className={css.GapCardSign} />
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
      <ul className={css.GapCardAnswers}>
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

/* 契約已到期: what a month that is over left open, the close that is proposed, and the price that only the person can fill in. */

const PRICE = '最後結算價'

export function ExpiryCard({ strategy, expiry }: { strategy: Strategy; expiry: Expiry }) {
  const ctx = useCtx()
  const { on: masked } = usePrivacy()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState(false)
  const { symbol, symbol_name, contract, quantity, avg_price, ended_at } = expiry
  const read = typedPrice(typed, PRICE)
  const save = useMutation({
    ...expiryMutations.settle(ctx),
    onSuccess: ({ chain_seq }) =>
      toast({ title: `已以結算價平倉，記為第 ${number(chain_seq)} 筆`, icon: 'check' }),
  })
  const fields = save.error instanceof ApiError ? save.error.details.fields : undefined
  const refused = Object.values(fields ?? {})[0]
  const gross = 'price' in read ? grossOf(expiry, read.price) : null
  const name = `${symbol_name} ${contractText(contract)}`
  const held = positionWords(quantity, 'futures').word
  return (
    <section className={`card ${css.ExpiryCardCard}`} aria-label={`${name} 已到期`}>
      <div className={css.ExpiryCardWhat}>
        <h2 className="row gap6">
          <Icon name="calendar" className={css.ExpiryCardSign} />
          {name} 已到期，還有{held}沒有平倉
        </h2>
        <p className="ink2">
          最後交易日 {ymd(ended_at)}，{hm(ended_at)}{' '}
          收盤之後沒有平倉的訊號。部位不會自動平倉：請查期交所公布的
          {PRICE}，填入後會另記一筆 {hm(ended_at)} 的平倉，損益隨即重算；填錯可以更正或作廢。
        </p>
        <p className="num t14">
          全部平倉 <b>{held}</b>
          {avg_price !== null &&
            ` · 均價 ${averageText({ asset: 'futures', symbol, trading_date: ended_at.slice(0, 10) }, avg_price)}`}
        </p>
        <p className="num t14">
          毛損益 <Delta value={gross} unit="元" masked={masked && gross !== null} strong />
        </p>
      </div>
      <form
        className={css.ExpiryCardForm}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(true)
          if ('price' in read && !save.isPending)
            save.mutate({ id: strategy.id, contract, symbol, settlement_price: read.price })
        }}
      >
        <NumberField
          label={PRICE}
          value={typed}
          onChange={(value) => {
            setTyped(value)
            save.reset()
          }}
          unit="點"
          required
          error={refused ?? (asked && 'error' in read ? read.error : null)}
        />
        <Refused text={!refused && save.error && failureSentence(save.error, '還沒有平倉，')} />
        <Button kind="filled" type="submit" busy={save.isPending}>
          以結算價平倉
        </Button>
      </form>
    </section>
  )
}
