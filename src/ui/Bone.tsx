/* A grey box in place of what is on its way. */
import type { CSSProperties } from 'react'
import css from './Bone.module.css'
import { cx } from './open.ts'

/** Sizes in px; without width it fills the line. */
export type BoneProps = { w?: number; h?: number; style?: CSSProperties; className?: string | undefined }

export function Bone({ w, h, style, className }: BoneProps) {
  const size = {
    ...(w === undefined ? {} : { width: w }),
    ...(h === undefined ? {} : { height: h }),
    ...style,
  }
  return <i className={cx(css.root, className)} style={size} />
}
