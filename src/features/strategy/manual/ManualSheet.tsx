/* 手動訊號: thumb-sized keys for what can be done now, quantity and price by steps, and what would come of it before it is sent. */

import { useState } from 'react'
import type { OutboxRow } from '#contract/outbox.ts'
import type { PositionGap, Strategy } from '#contract/strategy.ts'
import { failureSentence } from '#screen/failure.ts'
import { QUEUED_WORDS } from '#screen/outbox.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { useSecurities } from '#screen/securities.ts'
import { toast } from '#screen/toast.ts'
import { full, number } from '#text/format.ts'
import { averageText, priceText } from '#text/row.ts'
import { positionText, positionWords } from '#text/signal.ts'
import { contractText, tradedText } from '#text/strategy.ts'
import { taipeiDay } from '#trading/calendar.ts'
import { tickBelow, tickOf } from '#trading/costs.ts'
import { averageOf } from '#trading/fold/step.ts'
import { ASSET_FACTS, KINDS, UNIT_FACTS } from '#trading/kinds.ts'
import { findProduct, stockName } from '#trading/products.ts'
import type { Asset } from '#trading/record.ts'
import { Button } from '#ui/Button.tsx'
import { Banner } from '#ui/EmptyState.tsx'
import { Masked } from '#ui/Figures.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { Stepper } from '#ui/NumberField.tsx'
import { Delta, Seal } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import { SearchSelect } from '#ui/SearchSelect.tsx'
import { Chips } from '#ui/Segments.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { isCode, SymbolSearch } from '../form/SymbolsField.tsx'
import { ShortQuestion } from '../ShortQuestion.tsx'
import { beyondLimits, type EntryDraft, ownContract } from './actions.ts'
import css from './ManualSheet.module.css'
import { localMinute, useEntry, useLimitFacts } from './use-entry.ts'

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

/* What is traded and what is held of it now; stocks are chosen here. */

export function Holding({ entry, strategy }: { entry: ReturnType<typeof useEntry>; strategy: Strategy }) {
  const { asset, draft, change, held, position, listed, reference, faults } = entry
  /** What was chosen from the list, or stood there as the sheet opened. */
  const [taken, setTaken] = useState(draft.symbol)
  const [unknown, setUnknown] = useState(false)
  const { seal, held: size } = positionWords(position, asset)
  const securities = useSecurities(asset === 'stock')
  const nameOf = (symbol: string) => {
    const name = securities?.directory.find(symbol)?.name ?? stockName(symbol)
    return name === symbol ? '' : name
  }
  const average = held ? averageOf(held) : null
  const of = { asset, symbol: draft.symbol, trading_date: taipeiDay(entry.now) } as const
  const product = asset === 'futures' ? findProduct(draft.symbol) : undefined
  const pick = (symbol: string) => change({ symbol, price: String(priceOf(strategy, symbol) ?? '') })
  return (
    <>
      {asset === 'stock' &&
        (listed.length > 0 ? (
          <SearchSelect
            label={ASSET_FACTS[asset].chosen}
            value={draft.symbol}
            onChange={pick}
            options={listed.map((value) => ({ value, label: `${value} ${nameOf(value)}`.trim() }))}
          />
        ) : (
          <SymbolSearch
            label="股票代號"
            hint={nameOf(draft.symbol) || '代號或名稱都可以'}
            error={unknown ? '請從清單選一檔股票' : faults.symbol}
            typed={draft.symbol}
            onTyped={(typed) => {
              pick(typed)
              setUnknown(false)
            }}
            onLeave={() => setUnknown(draft.symbol.trim() !== '' && !isCode(draft.symbol))}
            onTake={(symbol) => {
              if (symbol === null) return
              pick(symbol)
              setTaken(symbol)
              setUnknown(false)
            }}
            onEscape={() => setTaken(draft.symbol)}
            done={draft.symbol === taken}
          />
        ))}
      <div className={css.Holding}>
        <div className="sp">
          <b className="t16">{TRADED[asset](draft, strategy, nameOf)}</b>
          <p className="t13 ink3">
            {product
              ? `一點 ${product.point_value} 元`
              : reference === null
                ? '還沒有參考價'
                : `參考價 ${priceText(of, reference)}`}
          </p>
        </div>
        <div className="r">
          <p className={cx(css.HoldingAmount, 'row gap4')}>
            {seal && <Seal glyph={seal} />}
            <b className="num t16">{size}</b>
          </p>
          <p className="t13 ink3 num">{average === null ? ' ' : `均價 ${averageText(of, average)}`}</p>
        </div>
      </div>
    </>
  )
}

type Traded = (
  draft: Pick<EntryDraft, 'symbol' | 'contract'>,
  strategy: Strategy,
  nameOf: (symbol: string) => string,
) => string
/** What the entry is for, in the words of its market. */
const TRADED: Record<Asset, Traded> = {
  futures: ({ symbol, contract }, strategy) =>
    contract === ownContract(strategy)
      ? tradedText(strategy)
      : `${findProduct(symbol)?.short_name ?? symbol} ${contractText(contract)}`,
  stock: ({ symbol }, _strategy, nameOf) => (isCode(symbol) ? `${symbol} ${nameOf(symbol)}` : '還沒有選股票'),
}

const priceOf = ({ positions, last_signal }: Strategy, symbol: string) =>
  positions.find((one) => one.symbol === symbol)?.ref_price ??
  (last_signal?.symbol === symbol ? last_signal.derived.price_used : null)

/* What would come of the entry: the position after it, what it would bring, and what the order itself costs. */

/** `past`: it is entered for a moment that is over. */
export function ManualOutcome({ entry, past }: { entry: ReturnType<typeof useEntry>; past: boolean }) {
  const { on: masked } = usePrivacy()
  const { asset, position, next } = entry
  const words = (quantity: number) => positionWords(quantity, asset).word
  const realised = next?.derived.realised_pnl ?? null
  const { fee = null, tax = null } = next?.derived ?? {}
  const costs = [
    fee !== null && { name: '手續費', value: fee },
    tax ? { name: ASSET_FACTS[asset].tax, value: tax } : null,
  ].filter((one) => one !== null && one !== false)
  return (
    <div className={css.next} aria-live="polite">
      <div className="sp">
        <p className="t13 ink3">{past ? '補上後，當時的部位' : '送出後部位'}</p>
        <p className="t20 w6 num">
          {words(position)} <span className="ink3">→</span> {next ? words(next.derived.position_after) : '—'}
        </p>
        {next?.derived.none_reason && <p className="t13 ink2">不會動作：{next.derived.none_reason}</p>}
        {costs.length > 0 && (
          <p className="t13 ink3 num">
            預估
            {costs.map(({ name, value }) => (
              <span key={name}>
                {' '}
                {name} {masked ? <Masked /> : `${number(value)} 元`}
              </span>
            ))}
          </p>
        )}
      </div>
      {realised !== null && (
        <div className="r">
          <p className="t13 ink3">預估已實現</p>
          <p className="t20 w6">
            <Delta value={realised} masked={masked} />
          </p>
        </div>
      )}
    </div>
  )
}

/* What is unusual about the entry, before it is sent: its price, or its time. None of it is refused. */

/** `tickWords` the step at this price, in words. */
export type ManualWarningsProps = {
  entry: ReturnType<typeof useEntry>
  of: { asset: Asset; symbol: string; trading_date: string }
  tickWords: string | null
}

export function ManualWarnings({ entry, of, tickWords }: ManualWarningsProps) {
  const { draft, next, reference, terms } = entry
  const facts = useLimitFacts(of.asset, of.symbol)
  const flags = next?.derived.flags ?? []
  const said = [
    beyondLimits(Number(draft.price), reference, of, terms, facts),
    flags.includes('off_tick') ? `價格不在檔位上（${tickWords}），送出後會標示。` : null,
    flags.includes('outside_session') ? OUTSIDE[of.asset] : null,
  ]
  return said.map(
    (words) =>
      words !== null && (
        <Banner key={words} tone="warn" icon="warning">
          {words}
        </Banner>
      ),
  )
}

const OUTSIDE: Record<Asset, string> = {
  futures: '訊號時間不在這個商品的交易時段內，送出後會標示。',
  stock: '訊號時間不在股票的交易時段內，送出後會標示。',
}
