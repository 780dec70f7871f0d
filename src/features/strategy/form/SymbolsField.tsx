/* 股票代號: searched by code and name, also offline; several codes can be pasted. What is in no list is taken after a word of warning. */
import { useEffect, useId, useRef, useState } from 'react'
import { SYMBOLS_MOST } from '#contract/kinds/stock.ts'
import { type Securities, useSecurities, useSecuritySearch } from '#screen/securities.ts'
import { dayWords } from '#trading/calendar.ts'
import type { Listing } from '#trading/listings.ts'
import { described, Field } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import { FIELDS } from './kinds.ts'
import { SymbolChips } from './SymbolChips.tsx'
import { codeOf, codesOf, isCode, withCodes } from './symbols.ts'
import type { Bound } from './use-form.ts'

type Option = { symbol: string; name: string; note: string }
const SHOWN = 8
const MARKETS = { twse: '上市', tpex: '上櫃', emerging: '興櫃' }
const { label, hint } = FIELDS.symbols

function optionsFor(typed: string, found: readonly Listing[], lists: Securities | null): Option[] {
  const options = found.map(({ symbol, name, market }) => ({ symbol, name, note: MARKETS[market] }))
  const code = codeOf(typed)
  if (!isCode(typed) || found.some(({ symbol }) => symbol === code)) return options
  const note = lists ? `不在 ${dayWords(lists.listed_on)} 的清單裡，請確認代號` : '直接加入'
  return [...options, { symbol: code, name: '', note }]
}

export function SymbolsField({ name, value, onChange, onBlur, error }: Bound<'settings.symbols'>) {
  const id = useId()
  const lists = useSecurities()
  const [typed, setTyped] = useState('')
  const found = useSecuritySearch(lists, codeOf(typed), SHOWN)
  const [at, setAt] = useState(0)
  const [problem, setProblem] = useState<string>()
  const options = typed.trim() === '' ? [] : optionsFor(typed, found, lists)
  const list = useRef<HTMLDivElement>(null)
  const open = options.length > 0
  // what was found stands under the box: on a phone the form's own keys would lie over it
  useEffect(() => {
    if (open) list.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  const marked = options[Math.min(at, options.length - 1)]

  const add = (codes: readonly string[]) => {
    const { symbols, left } = withCodes(value, codes)
    onChange(symbols)
    setTyped('')
    setAt(0)
    setProblem(left > 0 ? `最多 ${SYMBOLS_MOST} 檔，有 ${left} 檔沒有加入` : undefined)
  }
  const take = () => {
    const codes = codesOf(typed)
    if (codes && codes.length > 1) add(codes)
    else if (marked) add([marked.symbol])
    else setProblem(`找不到「${typed.trim()}」，請輸入代號或名稱`)
  }
  const leave = () => {
    onBlur()
    const codes = codesOf(typed)
    if (codes) add(codes)
    else if (typed.trim() !== '') setProblem(`「${typed.trim()}」還沒有加入，請從清單選一檔`)
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => setAt((now) => Math.min(now + 1, options.length - 1)),
    ArrowUp: () => setAt((now) => Math.max(now - 1, 0)),
    Escape: () => setTyped(''),
    Enter: take,
  }
  return (
    <div className="tags-field">
      <Field id={id} label={label} hint={open ? undefined : hint} error={error ?? problem}>
        <span className={cx('in', (error ?? problem) && 'err')}>
          <Icon name="search" size={18} className="ink3" />
          <input
            {...described(id, { hint, error: error ?? problem })}
            name={name}
            role="combobox"
            aria-expanded={open}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={marked && `${id}-${marked.symbol}`}
            autoComplete="off"
            autoCapitalize="characters"
            enterKeyHint="done"
            placeholder="代號或名稱，例如 2330、台積電"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              setAt(0)
              setProblem(undefined)
            }}
            onBlur={leave}
            onKeyDown={(event) => {
              const act = keys[event.key]
              if (!act || event.nativeEvent.isComposing || typed.trim() === '') return
              event.preventDefault()
              event.stopPropagation()
              act()
            }}
          />
        </span>
      </Field>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="符合的股票"
        className={cx('syms', open && 'on')}
      >
        {options.map((one) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the box's, which keeps the focus
          <div
            key={one.symbol}
            id={`${id}-${one.symbol}`}
            role="option"
            tabIndex={-1}
            aria-selected={one === marked}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => add([one.symbol])}
          >
            <b className="num">{one.symbol}</b>
            <span className="el sp">{one.name}</span>
            <small className="ink3">{value.includes(one.symbol) ? '已加入' : one.note}</small>
          </div>
        ))}
      </div>
      <SymbolChips
        symbols={value}
        nameOf={(symbol) => lists?.directory.find(symbol)?.name}
        onChange={onChange}
      />
    </div>
  )
}
