/* A face or the first character of a name. */

import css from './Avatar.module.css'
import { cx } from './open.ts'

/** `src` null or absent shows the character; `size` px (32). Decorative: the name stands beside it. */
export type AvatarProps = {
  name: string
  src?: string | null
  size?: number
  dim?: boolean
  className?: string | undefined
}

export function Avatar({ name, src, size = 32, dim = false, className }: AvatarProps) {
  const box = { width: size, height: size, fontSize: Math.round(size * 0.4) }
  if (src) return <img className={cx(css.root, className)} src={src} alt="" style={box} loading="lazy" />
  return (
    <span className={cx(css.root, dim && css.dim, className)} style={box} aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? '·'}
    </span>
  )
}
