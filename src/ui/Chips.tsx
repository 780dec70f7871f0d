/* Filter chips in one scrolling line: 32 px to the eye, 44 to the finger. */
import { number } from '#text/format.ts'
import css from './Chips.module.css'
import { Icon } from './Icon.tsx'
import type { IconName } from './icons.ts'
import { cx } from './open.ts'

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
        css.root,
        large && css.large,
        inline && (inline === 'phone' ? css.inlinePhone : css.inline),
        wrap && css.wrap,
      )}
    >
      <legend className="vh">{label}</legend>
      {chips.map((chip) => (
        <button
          key={chip.value}
          type="button"
          className={cx(css.chip, chip.on && css.on)}
          disabled={chip.disabled}
          aria-pressed={chip.menu ? undefined : Boolean(chip.on)}
          aria-haspopup={chip.menu || undefined}
          onClick={() => onPick(chip.value)}
        >
          {chip.icon && <Icon name={chip.icon} size={16} />}
          {chip.label}
          {chip.count !== undefined && <span className="num">{number(chip.count)}</span>}
          {chip.menu && <Icon name="chevron-down" size={16} className={css.arrow} />}
        </button>
      ))}
    </fieldset>
  )
}
