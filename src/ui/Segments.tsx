/* One of a few, side by side (卡片｜表格, 1月 3月 今年): a radio group, so arrow keys work by themselves. */

import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { number } from '#text/format.ts'
import { Hint } from './Field.tsx'
import fieldCss from './fields.module.css'
import { Icon, type IconName } from './Icon.tsx'
import { cx, opens } from './open.ts'
import type { Option } from './SelectField.tsx'
import css from './switches.module.css'

/** `icon` shows instead of the label, which then is what is announced; `count` small behind it. */
export type Segment<T extends string> = {
  value: T
  label: string
  count?: number
  icon?: IconName
  disabled?: boolean
}

/** `tall` 32 px keys instead of 28 (phones always 44 to the touch). */
export type SegmentsProps<T extends string> = {
  label: string
  value: T
  onChange: (value: T) => void
  options: readonly Segment<T>[]
  tall?: boolean
  wide?: boolean
  /** As wide as its box on phones. */
  fill?: boolean
  /** What is chosen is not accepted. */
  invalid?: boolean
}

export function Segments<T extends string>({
  label,
  value,
  onChange,
  options,
  tall,
  wide,
  fill,
  invalid,
}: SegmentsProps<T>) {
  const name = useId()
  return (
    <div
      className={cx(
        css.Segments,
        tall && css.SegmentsTall,
        wide && css.SegmentsW,
        fill && css.SegmentsFill,
        invalid && css.SegmentsInvalid,
      )}
      role="radiogroup"
      aria-label={label}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(option.value === value && css.SegmentsOn, option.disabled && css.SegmentsOff)}
        >
          <input
            className="vh"
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            aria-label={option.icon ? option.label : undefined}
            onChange={() => onChange(option.value)}
          />
          {option.icon ? <Icon name={option.icon} size={18} /> : option.label}
          {option.count !== undefined && <small className="num">{number(option.count)}</small>}
        </label>
      ))}
    </div>
  )
}

/* A field of few choices: label above, the segments, error or hint below, as every other field. */

/** `error` replaces `hint`. */
export type SegmentsFieldProps<T extends string> = {
  label: string
  name?: string
  value: T
  onChange: (value: T) => void
  onBlur?: () => void
  options: readonly Segment<T>[]
  hint?: ReactNode
  error?: string | undefined
}

export function SegmentsField<T extends string>(props: SegmentsFieldProps<T>) {
  const { label, value, onChange, onBlur, options, hint, error } = props
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only learns that the group was left
    <div className={fieldCss.Field} onBlur={onBlur} data-field="" data-invalid={error ? true : undefined}>
      <div className={fieldCss.FieldTop} aria-hidden="true">
        <span className={fieldCss.FieldWords}>{label}</span>
      </div>
      <Segments
        label={label}
        value={value}
        onChange={onChange}
        options={options}
        tall
        wide
        invalid={Boolean(error)}
      />
      {error ? (
        <Hint error sign role="alert">
          {error}
        </Hint>
      ) : (
        hint && <Hint>{hint}</Hint>
      )}
    </div>
  )
}

/* Filter chips in one scrolling line: 32 px to the eye, 44 to the finger. */

/** One chip: `on` chosen; `menu` shows the arrow of a list that opens; `icon` before the label. */
export type Chip = {
  value: string
  label: string
  on?: boolean
  count?: number
  menu?: boolean
  icon?: IconName
  disabled?: boolean
}

/** `onPick` gets the value of the pressed chip. */
export type ChipsProps = {
  label: string
  chips: readonly Chip[]
  onPick: (value: string) => void
  large?: boolean
  /** In a line that scrolls by itself; `phone` only there. */
  inline?: boolean | 'phone'
  /** As many lines as they need. */
  wrap?: boolean
}

export function Chips({ label, chips, onPick, large, inline, wrap }: ChipsProps) {
  return (
    <fieldset
      className={cx(
        css.Chips,
        large && css.ChipsLarge,
        inline && (inline === 'phone' ? css.ChipsInlinePhone : css.ChipsInline),
        wrap && css.ChipsWrap,
      )}
    >
      <legend className="vh">{label}</legend>
      {chips.map((chip) => (
        <button
          key={chip.value}
          type="button"
          className={cx(css.ChipsChip, chip.on && css.ChipsOn)}
          disabled={chip.disabled}
          aria-pressed={chip.menu ? undefined : Boolean(chip.on)}
          aria-haspopup={chip.menu || undefined}
          onClick={() => onPick(chip.value)}
        >
          {chip.icon && <Icon name={chip.icon} size={16} />}
          {chip.label}
          {chip.count !== undefined && <span className="num">{number(chip.count)}</span>}
          {chip.menu && <Icon name="chevron-down" size={16} className={css.ChipsArrow} />}
        </button>
      ))}
    </fieldset>
  )
}

/* A filter chip whose list is the platform's own select (策略, 動作, 來源, 排序). */

/** The chip shows `label` while value is `all` (default ''), otherwise the chosen option; `prefix` keeps both (狀態：全部). */
export type ChipSelectProps<T extends string> = {
  label: string
  value: T
  onChange: (value: T) => void
  options: readonly Option<T>[]
  all?: T
  prefix?: boolean
  /** What the chip says instead of label or option; it is never dark then: it hides nothing. */
  says?: ReactNode
}

export function ChipSelect<T extends string>({
  label,
  value,
  onChange,
  options,
  all,
  prefix,
  says,
}: ChipSelectProps<T>) {
  const chosen = options.find((option) => option.value === value)
  const idle = says !== undefined || value === (all ?? ('' as T))
  return (
    <label className={cx(css.ChipsChip, css.ChipSelect, !idle && css.ChipsOn)}>
      {says ?? (prefix ? `${label}：${chosen?.label ?? ''}` : idle ? label : chosen?.label)}
      <Icon name="chevron-down" size={16} className={css.ChipsArrow} />
      <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value as T)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  )
}

/* Links that look and announce like tabs; each has its own address. */

/** One tab with its address. A `count` of null has its room and says nothing: what comes later moves no tab. Above `most` it says 99+. */
export type Tab<T extends string = string> = {
  value: T
  label: string
  href: string
  count?: number | null
  most?: number
}

/** `onOpen` opens inside the app; `sub` the smaller second level (pills instead of an underline). */
export type TabsProps<T extends string> = {
  label: string
  value: T
  tabs: readonly Tab<T>[]
  onOpen?: (tab: Tab<T>) => void
  sub?: boolean
  /** Lower where the screen is low. */
  low?: boolean
  className?: string | undefined
}

function countText({ count, most = Infinity }: Tab): string {
  if (typeof count !== 'number') return ''
  return count > most ? `${most}+` : number(count)
}

/** Left and right move the focus, Enter follows the link. */
function travel(event: KeyboardEvent<HTMLDivElement>) {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
  const at = tabs.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
  if (to === undefined || at < 0) return
  event.preventDefault()
  tabs[(to + tabs.length) % tabs.length]?.focus()
}

/** Where the strip is longer than the screen, the chosen tab stands in its middle; the page itself does not move. */
function intoSight(strip: HTMLDivElement | null): void {
  const tab = strip?.querySelector<HTMLElement>('[aria-selected=true]')
  if (!strip || !tab || strip.scrollWidth <= strip.clientWidth) return
  const before = tab.getBoundingClientRect().left - strip.getBoundingClientRect().left
  strip.scrollLeft += before - (strip.clientWidth - tab.offsetWidth) / 2
}

export function Tabs<T extends string>(props: TabsProps<T>) {
  const { label, value, tabs, onOpen, sub = false, low = false, className } = props
  const strip = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another tab that is chosen
  useLayoutEffect(() => intoSight(strip.current), [value])
  return (
    <div
      ref={strip}
      className={cx(css.Tabs, sub && css.TabsSub, low && css.TabsLow, className)}
      role="tablist"
      aria-label={label}
      onKeyDown={travel}
    >
      {tabs.map((tab) => (
        <a
          key={tab.value}
          role="tab"
          aria-selected={tab.value === value}
          tabIndex={tab.value === value ? 0 : -1}
          className={
            cx(tab.value === value && css.TabsOn, tab.count !== undefined && css.TabsCounts) || undefined
          }
          data-label={tab.label}
          href={tab.href}
          onClick={opens(onOpen && (() => onOpen(tab)))}
        >
          <span>
            {tab.label}
            {countText(tab) && <small className="num">{countText(tab)}</small>}
          </span>
        </a>
      ))}
    </div>
  )
}
