/* 手動訊號: thumb-sized keys for what can be done now, quantity and price by steps, and what would come of it before it is sent. */

import { useState } from 'react'
import type { OutboxRow } from '#contract/outbox.ts'
import type { PositionGap, Strategy } from '#contract/strategy.ts'
import { failureSentence } from '#screen/failure.ts'
import { QUEUED_WORDS } from '#screen/outbox.ts'
import { toast } from '#screen/toast.ts'
import { full, number } from '#text/format.ts'
import { priceText } from '#text/row.ts'
import { positionText, positionWords } from '#text/signal.ts'
import { contractText } from '#text/strategy.ts'
import { taipeiDay } from '#trading/calendar.ts'
import { tickBelow, tickOf } from '#trading/costs.ts'
import { ASSET_FACTS, KINDS, UNIT_FACTS } from '#trading/kinds.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Chips } from '#ui/Chips.tsx'
import { Stepper } from '#ui/NumberField.tsx'
import { cx } from '#ui/open.ts'
import { SelectField } from '#ui/SelectField.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { TextField } from '#ui/TextField.tsx'
import { ShortQuestion } from '../ShortQuestion.tsx'
import { ownContract } from './contracts.ts'
import { Holding } from './Holding.tsx'
import { ManualOutcome } from './ManualOutcome.tsx'
import css from './ManualSheet.module.css'
import { ManualWarnings } from './ManualWarnings.tsx'
import { localMinute, useEntry } from './use-entry.ts'

export type ManualSheetProps = {
  strategy: Strategy
  /** An entry to correct and send anew. */
  refused?: OutboxRow | null
  /** A position that the source reported differently: what was missed before it is entered. */
  gap?: PositionGap | null
  onClose: () => void
}

export function ManualSheet({ strategy, refused = null, gap = null, onClose }: ManualSheetProps) {
  const [noting, setNoting] = useState(typeof refused?.body['note'] === 'string')
  const [choosing, setChoosing] = useState(false)
  const entry = useEntry(strategy, refused, gap, (queued, chain_seq) => {
    toast(
      queued
        ? { title: QUEUED_WORDS, icon: 'offline' }
        : { title: `已送出，記為第 ${number(chain_seq ?? 0)} 筆`, icon: 'check' },
    )
    onClose()
  })
  const { asset, draft, change, position, keys, key, faults, notify } = entry
  const otherMonth = draft.contract !== ownContract(strategy)
  // ticks and limits are those of the day it was
  const trading_date = draft.at === '' ? taipeiDay(entry.now) : draft.at.slice(0, 10)
  const of = { asset, symbol: draft.symbol, trading_date } as const
  const price = Number(draft.price)
  const tick = tickOf(draft.symbol, price || (entry.reference ?? 1), of.trading_date, entry.terms)
  // a stock's depends on its price: before there is one nothing is said
  const hasTick = asset === 'futures' || price > 0 || entry.reference !== null
  const tickWords = hasTick ? `一檔 ${tick} ${ASSET_FACTS[asset].priced}` : null
  const unit = UNIT_FACTS[draft.unit].word
  const quantity = Number(draft.quantity)
  const size = key?.whole || !(quantity > 0) ? '' : ` ${number(quantity)} ${unit}`
  const words = (quantity: number) => positionWords(quantity, asset).word
  // a stock that is searched for says it under its own field
  const elsewhere = asset === 'futures' || entry.listed.length > 0 ? faults.symbol : undefined
  const general =
    entry.error && Object.keys(faults).length === 0 ? failureSentence(entry.error, '還沒有送出，') : null
  return (
    <Sheet
      open
      onClose={onClose}
      sticky
      title={gap ? '補一筆' : '手動訊號'}
      subtitle={strategy.name}
      foot={
        <Button
          kind="filled"
          size="l"
          wide
          busy={entry.busy}
          disabled={!key}
          onClick={() => entry.submit(`${strategy.name}：${key?.label}${size} @${priceText(of, price)}`)}
        >
          送出{key?.label}
          {size}
        </Button>
      }
    >
      <div className={css.root}>
        {gap && (
          <Banner icon="info">
            {full(gap.occurred_at)} 之前，來源是{words(gap.reported)}，這裡是{words(gap.held)}
            。補上的時間要在那之前；之後的部位與損益會重算。
          </Banner>
        )}
        <Holding entry={entry} strategy={strategy} />
        {keys.length === 0 ? (
          <Banner icon="info">這個策略的操作方向不允許進場，目前也沒有部位。</Banner>
        ) : (
          <fieldset className={css.acts}>
            <legend className="vh">動作</legend>
            {keys.map((one) => {
              const then = entry.after(one.action, one.whole)
              return (
                <button
                  key={one.label}
                  type="button"
                  className={cx(css.act, one === key && css.on)}
                  aria-pressed={one === key}
                  onClick={() => change({ action: one.action })}
                >
                  <b>{one.label}</b>
                  <span className={cx(css.then, 'num')}>
                    {then
                      ? `${positionText(position, asset)} → ${positionText(then.derived.position_after, asset)}`
                      : ' '}
                  </span>
                </button>
              )
            })}
          </fieldset>
        )}
        {faults.action && <p className="t13">{faults.action}</p>}
        {!key?.whole && (
          <Stepper
            label="數量"
            value={draft.quantity}
            onChange={(quantity) => change({ quantity })}
            step="1"
            min="1"
            unit={unit}
            error={faults.quantity ?? null}
          />
        )}
        <Stepper
          label="價格"
          {...(tickWords && { note: tickWords })}
          value={draft.price}
          onChange={(value) => change({ price: value })}
          step={String(tick)}
          down={String(price > 0 ? tickBelow(draft.symbol, price, of.trading_date, entry.terms) : tick)}
          min={String(tick)}
          error={faults.price ?? null}
        />
        <Chips
          label="其他"
          large
          chips={[
            { value: 'at', label: draft.at === '' ? '現在' : '改回現在', icon: 'clock', on: draft.at !== '' },
            ...(strategy.status === 'active'
              ? [{ value: 'notify', label: '發送通知', icon: BELL[`${notify}`], on: notify }]
              : []),
            ...(KINDS[strategy.kind].units.length > 1
              ? [{ value: 'unit', label: draft.unit === 'board_lot' ? '改用零股' : '改用整張' }]
              : []),
            ...(noting ? [] : [{ value: 'note', label: '加備註' }]),
            ...(entry.contracts.length > 1 && !choosing && !otherMonth
              ? [{ value: 'contract', label: '換合約' }]
              : []),
            // last: it comes and goes with what is typed
            ...(entry.reference === null || entry.reference === price
              ? []
              : [{ value: 'ref', label: `參考價 ${priceText(of, entry.reference)}` }]),
          ]}
          onPick={(value) => {
            if (value === 'at') change({ at: draft.at === '' ? localMinute(entry.now) : '' })
            if (value === 'ref') change({ price: String(entry.reference) })
            if (value === 'unit') change({ unit: draft.unit === 'board_lot' ? 'share' : 'board_lot' })
            if (value === 'note') setNoting(true)
            if (value === 'contract') setChoosing(true)
            if (value === 'notify') change({ notify: !notify })
          }}
        />
        {draft.at !== '' && (
          <TextField
            label="訊號時間（台北）"
            type="datetime-local"
            value={draft.at}
            onChange={(at) => change({ at })}
            error={faults.occurred_at ?? null}
          />
        )}
        {draft.contract !== null && (choosing || otherMonth) && (
          <SelectField
            label="合約"
            value={draft.contract}
            onChange={(contract) => change({ contract })}
            options={[...new Set([...entry.contracts, draft.contract])].map((value) => ({
              value,
              label: contractText(value),
            }))}
            error={faults.contract ?? null}
          />
        )}
        {noting && (
          <TextField
            label="備註"
            value={draft.note}
            onChange={(note) => change({ note })}
            maxLength={200}
            counter
            autoComplete="off"
          />
        )}
        <ManualWarnings entry={entry} of={of} tickWords={tickWords} />
        {entry.next?.derived.flags.includes('asks_short') && <ShortQuestion strategy={strategy} coming />}
        <ManualOutcome entry={entry} past={gap !== null || draft.at !== ''} />
        {(general || elsewhere || faults.contract || faults.unit) && (
          <Banner tone="danger" icon="warning" urgent>
            {general ?? elsewhere ?? faults.contract ?? faults.unit}
          </Banner>
        )}
      </div>
    </Sheet>
  )
}

const BELL = { true: 'bell', false: 'bell-off' } as const
