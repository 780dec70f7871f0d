/* A filter chip whose list is the platform's own select (策略, 動作, 來源, 排序). */
import type { ReactNode } from 'react'
import css from './ChipSelect.module.css'
import chipsCss from './Chips.module.css'
import { Icon } from './Icon.tsx'
import { cx } from './open.ts'
import type { Option } from './SelectField.tsx'

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
    <label className={cx(chipsCss.chip, css.root, !idle && chipsCss.on)}>
      {says ?? (prefix ? `${label}：${chosen?.label ?? ''}` : idle ? label : chosen?.label)}
      <Icon name="chevron-down" size={16} className={chipsCss.arrow} />
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
