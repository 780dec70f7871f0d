/* What is traded and what is held of it now; stocks are chosen here. */

import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { useSecurities } from '#screen/securities.ts'
import { averageText, priceText } from '#text/row.ts'
import { positionWords } from '#text/signal.ts'
import { contractText, tradedText } from '#text/strategy.ts'
import { taipeiDay } from '#trading/calendar.ts'
import { averageOf } from '#trading/fold/step.ts'
import { ASSET_FACTS } from '#trading/kinds.ts'
import { findProduct, stockName } from '#trading/products.ts'
import type { Asset } from '#trading/record.ts'
import { Seal } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import { SearchSelect } from '#ui/SearchSelect.tsx'
import { SymbolSearch } from '../form/SymbolsField.tsx'
import { isCode } from '../form/symbols.ts'
import { ownContract } from './contracts.ts'
import type { EntryDraft } from './draft.ts'
import css from './Holding.module.css'
import type { useEntry } from './use-entry.ts'

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
      <div className={css.root}>
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
          <p className={cx(css.amount, 'row gap4')}>
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
