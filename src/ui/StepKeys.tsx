/* The − and + keys of a number, exact in decimals. */
import { Icon } from './Icon.tsx'
import { cx } from './open.ts'
import css from './StepKeys.module.css'
import { stepped } from './step.ts'

/** Decimal texts. `compact` for inside a field; otherwise 52 × 44 keys. `side` draws only one of the two. */
export type StepKeysProps = {
  label: string
  value: string
  step: string
  min?: string | undefined
  max?: string | undefined
  onChange: (value: string) => void
  compact?: boolean
  side?: 'less' | 'more'
}

export function StepKeys({ label, value, step, min, max, onChange, compact = false, side }: StepKeysProps) {
  const less = stepped(value, step, -1, min, max)
  const more = stepped(value, step, 1, min, max)
  const name = cx(css.root, compact && css.compact)
  return (
    <>
      {side !== 'more' && (
        <button
          type="button"
          className={name}
          aria-label={`${label}減 ${step}`}
          disabled={less === value}
          onClick={() => onChange(less)}
        >
          <Icon name="minus" size={compact ? 18 : 22} />
        </button>
      )}
      {side !== 'less' && (
        <button
          type="button"
          className={name}
          aria-label={`${label}加 ${step}`}
          disabled={more === value}
          onClick={() => onChange(more)}
        >
          <Icon name="plus" size={compact ? 18 : 22} />
        </button>
      )}
    </>
  )
}
