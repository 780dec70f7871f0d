/* A box in which stocks are searched by code and name, also offline, and what fits under it. */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type Securities, useSecurities, useSecuritySearch } from '#screen/securities.ts'
import { dayWords } from '#trading/calendar.ts'
import type { Listing } from '#trading/listings.ts'
import { STOCK_MARKET_NAMES } from '#trading/tables.ts'
import { described, Field } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import { InputBox } from '#ui/InputBox.tsx'
import { cx } from '#ui/open.ts'
import css from './SymbolSearch.module.css'
import { codeOf, isCode } from './symbols.ts'

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
        className={cx(css.list, open && css.open)}
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
