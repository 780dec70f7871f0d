/* 股票代號: searched by code and name, also offline; several codes can be pasted. What is in no list is taken after a word of warning. */
import { useState } from 'react'
import { SYMBOLS_MOST } from '#contract/kinds/stock.ts'
import { useSecurities } from '#screen/securities.ts'
import { FIELDS } from './kinds.ts'
import { SymbolChips } from './SymbolChips.tsx'
import { SymbolSearch } from './SymbolSearch.tsx'
import css from './SymbolsField.module.css'
import { codesOf, withCodes } from './symbols.ts'
import type { BoundField } from './use-strategy-form.ts'

const { label, hint } = FIELDS.symbols

export function SymbolsField({ name, value, onChange, onBlur, error }: BoundField<'settings.symbols'>) {
  const lists = useSecurities()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const add = (codes: readonly string[]) => {
    const { symbols, left } = withCodes(value, codes)
    onChange(symbols)
    setTyped('')
    setProblem(left > 0 ? `最多 ${SYMBOLS_MOST} 檔，有 ${left} 檔沒有加入` : undefined)
  }
  const take = (symbol: string | null) => {
    const codes = codesOf(typed)
    if (codes && codes.length > 1) add(codes)
    else if (symbol !== null) add([symbol])
    else setProblem(`找不到「${typed.trim()}」，請輸入代號或名稱`)
  }
  const leave = () => {
    onBlur()
    const codes = codesOf(typed)
    if (codes) add(codes)
    else if (typed.trim() !== '') setProblem(`「${typed.trim()}」還沒有加入，請從清單選一檔`)
  }
  return (
    <div className={css.root}>
      <SymbolSearch
        label={label}
        hint={hint}
        error={error ?? problem}
        name={name}
        typed={typed}
        onTyped={(text) => {
          setTyped(text)
          setProblem(undefined)
        }}
        onTake={take}
        onEscape={() => setTyped('')}
        onLeave={leave}
        taken={value}
      />
      <SymbolChips
        symbols={value}
        nameOf={(symbol) => lists?.directory.find(symbol)?.name}
        onChange={onChange}
      />
    </div>
  )
}
