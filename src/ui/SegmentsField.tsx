/* A field of few choices: label above, the segments, error or hint below, as every other field. */

import type { ReactNode } from 'react'
import css from './Field.module.css'
import { Hint } from './Hint.tsx'
import { type Segment, Segments } from './Segments.tsx'

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
    <div className={css.root} onBlur={onBlur} data-field="" data-invalid={error ? true : undefined}>
      <div className={css.top} aria-hidden="true">
        <span className={css.words}>{label}</span>
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
