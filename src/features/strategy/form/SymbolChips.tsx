/* The chosen stocks, each with its own key to take it away. Many are folded: the first twenty say enough. */

import { useState } from 'react'
import { SYMBOLS_MOST } from '#contract/kinds/stock.ts'
import { stockName } from '#trading/products.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from './SymbolChips.module.css'

const FOLDED = 20

/** `nameOf` from the lists, once they are here. */
export type SymbolChipsProps = {
  symbols: string[]
  nameOf: (symbol: string) => string | undefined
  onChange: (symbols: string[]) => void
}

export function SymbolChips({ symbols, nameOf, onChange }: SymbolChipsProps) {
  const [all, setAll] = useState(false)
  if (symbols.length === 0) return null
  const shown = all ? symbols : symbols.slice(0, FOLDED)
  const named = (symbol: string) => {
    const name = nameOf(symbol) ?? stockName(symbol)
    return name === symbol ? symbol : `${symbol} ${name}`
  }
  return (
    <>
      <ul className={css.root} aria-label="已選的股票">
        {shown.map((symbol) => (
          <Tag
            key={symbol}
            as="li"
            className={css.word}
            words="num"
            end={
              <button
                type="button"
                aria-label={`移除 ${named(symbol)}`}
                onClick={() => onChange(symbols.filter((other) => other !== symbol))}
              >
                <Icon name="close" size={14} />
              </button>
            }
          >
            {named(symbol)}
          </Tag>
        ))}
      </ul>
      <div className={css.foot}>
        <span className="num" role="status">
          已選 {symbols.length}／{SYMBOLS_MOST}
        </span>
        {symbols.length > FOLDED && (
          <Button size="s" kind="ghost" onClick={() => setAll(!all)}>
            {all ? '收起' : `顯示全部 ${symbols.length} 檔`}
          </Button>
        )}
        {symbols.length > 1 && (
          <Button size="s" kind="ghost" onClick={() => onChange([])}>
            全部移除
          </Button>
        )}
      </div>
    </>
  )
}
