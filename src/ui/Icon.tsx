/* One icon in the colour of its text. Decorative unless `label` is given. */
import css from './Icon.module.css'
import { ICONS, type IconName } from './icons.ts'
import { cx } from './open.ts'

/** `size` in px (20). With `label` the icon is read out as that word. */
export type IconProps = { name: IconName; size?: number; label?: string; className?: string | undefined }

export function Icon({ name, size = 20, label, className }: IconProps) {
  return (
    <>
      <svg
        className={cx(css.root, className)}
        width={size}
        height={size}
        viewBox="0 0 24 24"
        aria-hidden="true"
      >
        <path d={ICONS[name]} strokeWidth={name === 'more' ? 2.6 : undefined} />
      </svg>
      {label && <span className="vh">{label}</span>}
    </>
  )
}
