/* A field of few choices: label above, the segments, error or hint below, as every other field. */
import type { ReactNode } from 'react'
import { Icon } from '#ui/Icon.tsx'
import { type Segment, Segments } from '#ui/Segments.tsx'

/** `error` replaces `hint`. */
export type ChoiceProps<T extends string> = {
  label: string
  name?: string
  value: T
  onChange: (value: T) => void
  onBlur?: () => void
  options: readonly Segment<T>[]
  hint?: ReactNode
  error?: string | undefined
}

export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, value, onChange, onBlur, options, hint, error } = props
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only learns that the group was left
    <div className="fld" onBlur={onBlur} data-invalid={error ? true : undefined}>
      <div className="fld-top" aria-hidden="true">
        <span className="lb">{label}</span>
      </div>
      <Segments label={label} value={value} onChange={onChange} options={options} tall wide />
      {error ? (
        <p className="hint err" role="alert">
          <Icon name="warning" size={16} />
          <span>{error}</span>
        </p>
      ) : (
        hint && <p className="hint">{hint}</p>
      )}
    </div>
  )
}
