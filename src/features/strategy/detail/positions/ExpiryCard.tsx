/* 契約已到期: what a month that is over left open, the close that is proposed, and the price that only the person can fill in. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import type { Expiry, Strategy } from '#contract/strategy.ts'
import { expiryMutations } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { hm, number, ymd } from '#text/format.ts'
import { typedPrice } from '#text/price.ts'
import { averageText } from '#text/row.ts'
import { positionWords } from '#text/signal.ts'
import { contractText } from '#text/strategy.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import css from './ExpiryCard.module.css'
import { grossOf } from './expiry.ts'

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
    <section className={`card ${css.card}`} aria-label={`${name} 已到期`}>
      <div className={css.what}>
        <h2 className="row gap6">
          <Icon name="calendar" className={css.sign} />
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
        className={css.form}
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
