/* 股票代號: searched by code and name, also offline; several codes can be pasted. What is in no list is taken after a word of warning. */

import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { STOCK_CODE, SYMBOLS_MOST } from '#contract/kinds/stock.ts'
import { type Securities, useSecurities, useSecuritySearch } from '#screen/securities.ts'
import { dayWords } from '#trading/calendar.ts'
import { BOARD_LOT } from '#trading/kinds.ts'
import type { Listing } from '#trading/listings.ts'
import { stockName } from '#trading/products.ts'
import { STOCK_MARKET_NAMES } from '#trading/tables.ts'
import { Button } from '#ui/Button.tsx'
import { described, Field, InputBox } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import { Tag } from '#ui/Tag.tsx'
import { FIELDS } from './kinds.ts'
import strategyFormCss from './StrategyForm.module.css'
import type { BoundField } from './use-strategy-form.ts'

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
    <div className={strategyFormCss.symbols}>
      <SymbolSearch
        label={FIELDS.symbols.label}
        hint={FIELDS.symbols.hint}
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

/* A box in which stocks are searched by code and name, also offline, and what fits under it. */

/** `taken` what is chosen already; `done` nothing is looked for: what stands there was chosen. */
export type SymbolSearchProps = {
  label: string
  hint: ReactNode
  error: string | undefined
  name?: string
  typed: string
  onTyped: (typed: string) => void
  /** One of the list, or null where Enter finds nothing in it. */
  onTake: (symbol: string | null) => void
  onEscape: () => void
  onLeave?: () => void
  taken?: readonly string[]
  done?: boolean
}

type Option = { symbol: string; name: string; note: string }
const SHOWN = 8

/** What is in no list can be taken, after a word of warning. */
function optionsFor(typed: string, found: readonly Listing[], lists: Securities | null): Option[] {
  const options = found.map(({ symbol, name, market }) => ({
    symbol,
    name,
    note: STOCK_MARKET_NAMES[market],
  }))
  const code = codeOf(typed)
  if (!isCode(typed) || found.some(({ symbol }) => symbol === code)) return options
  const note = lists ? `不在 ${dayWords(lists.listed_on)} 的清單裡，請確認代號` : '直接加入'
  return [...options, { symbol: code, name: '', note }]
}

export function SymbolSearch(props: SymbolSearchProps) {
  const { label, hint, error, name, typed, onTyped, onTake, onEscape, onLeave, taken = [], done } = props
  const id = useId()
  const lists = useSecurities()
  const found = useSecuritySearch(lists, codeOf(typed), SHOWN)
  const [at, setAt] = useState(0)
  const options = done || typed.trim() === '' ? [] : optionsFor(typed, found, lists)
  const list = useRef<HTMLDivElement>(null)
  const open = options.length > 0
  useEffect(() => {
    if (open) list.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  const marked = options[Math.min(at, options.length - 1)]
  const keys: Record<string, () => void> = {
    ArrowDown: () => setAt((now) => Math.min(now + 1, options.length - 1)),
    ArrowUp: () => setAt((now) => Math.max(now - 1, 0)),
    Escape: onEscape,
    Enter: () => onTake(marked?.symbol ?? null),
  }
  return (
    <>
      <Field id={id} label={label} hint={open ? undefined : hint} error={error}>
        <InputBox error={Boolean(error)}>
          <Icon name="search" size={18} className="ink3" />
          <input
            {...described(id, { hint, error })}
            {...(name !== undefined && { name })}
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
              setAt(0)
              onTyped(event.target.value)
            }}
            onBlur={onLeave}
            onKeyDown={(event) => {
              const act = keys[event.key]
              const idle = done || typed.trim() === ''
              if (!act || idle) return
              event.preventDefault()
              event.stopPropagation()
              act()
            }}
          />
        </InputBox>
      </Field>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="符合的股票"
        className={cx(strategyFormCss.list, open && strategyFormCss.open)}
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
            onClick={() => onTake(one.symbol)}
          >
            <b className="num">{one.symbol}</b>
            <span className="el sp">{one.name}</span>
            <small className="ink3">{taken.includes(one.symbol) ? '已加入' : one.note}</small>
          </div>
        ))}
      </div>
    </>
  )
}

/* The chosen stocks, each with its own key to take it away. Many are folded: the first twenty say enough. */

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
      <ul className={strategyFormCss.chips} aria-label="已選的股票">
        {shown.map((symbol) => (
          <Tag
            key={symbol}
            as="li"
            className={strategyFormCss.word}
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
      <div className={strategyFormCss.foot}>
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

// What is typed into the stocks of a strategy: codes to take at once, or a word to search for.

/** A code as everybody writes it: half width, upper case, without the exchange of 2330.TW or TWSE:2330. */
export function codeOf(typed: string): string {
  const text = typed.normalize('NFKC').trim().toUpperCase()
  return text.replace(/^(TWSE|TPEX):/, '').replace(/\.(TWO?|TE)$/, '')
}

/** True for what can be a code, in the lists or not. */
export function isCode(typed: string): boolean {
  return STOCK_CODE.test(codeOf(typed))
}

/** Several codes at once, as they are pasted: 2330, 2317 0050; null when a part of it is none. */
export function codesOf(typed: string): string[] | null {
  const parts = typed.split(/[\s,，、;；]+/).filter(Boolean)
  return parts.length > 0 && parts.every(isCode) ? parts.map(codeOf) : null
}

/** The chosen with more, each once, and never more than there may be; `left` how many found no room. */
export function withCodes(chosen: readonly string[], more: readonly string[]) {
  const all = [...new Set([...chosen, ...more])]
  return { symbols: all.slice(0, SYMBOLS_MOST), left: Math.max(0, all.length - SYMBOLS_MOST) }
}

/** The same amount in the other unit, at least one; what is no whole number stays as it was typed. */
export function inUnit(typed: string, unit: 'board_lot' | 'share'): string {
  if (!/^\d+$/.test(typed)) return typed
  const n = Number(typed)
  return String(unit === 'share' ? n * BOARD_LOT : Math.max(1, Math.ceil(n / BOARD_LOT)))
}
