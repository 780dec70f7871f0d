/* Filter chips in one scrolling line: 32 px to the eye, 44 to the finger. */

import type { ReactNode } from 'react'
import { number } from '#text/format.ts'
import { Icon, type IconName } from './Icon.tsx'
import { cx } from './open.ts'
import type { Option } from './SelectField.tsx'
import css from './switches.module.css'

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
