/* One of a few, side by side (卡片｜表格, 1月 3月 今年): a radio group, so arrow keys work by themselves. */

import { type ReactNode, useId } from 'react'
import { number } from '#text/format.ts'
import { Hint } from './Field.tsx'
import fieldCss from './fields.module.css'
import { Icon, type IconName } from './Icon.tsx'
import { cx } from './open.ts'
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
