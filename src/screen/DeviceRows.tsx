/* Devices one under another: what each is, since when or until when, and what can be done with it. */
import type { ReactNode } from 'react'
import { Clauses } from '#ui/Clauses.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Bone } from '#ui/Skeleton.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from './DeviceRows.module.css'

/** Without rows it waits for them. */
export function DeviceRows({ children }: { children?: ReactNode }) {
  return (
    <ul className={css.root} aria-busy={children === undefined || undefined}>
      {children ?? (
        <li>
          <Bone className={css.waiting} />
        </li>
      )}
    </ul>
  )
}

/** `here` the device one is looking at; `children` the key. */
export function DeviceRow({
  label,
  note,
  here,
  children,
}: {
  label: string
  note: string
  here: boolean
  children: ReactNode
}) {
  return (
    <li>
      <Icon name={/iPhone|Android|iPad|手機/.test(label) ? 'phone' : 'desktop'} size={20} className="ink3" />
      <span className={`sp ${css.what}`}>
        <b>{label}</b>
        <small>
          <Clauses>{note}</Clauses>
        </small>
      </span>
      {here && <Tag tone="good">這支裝置</Tag>}
      {children}
    </li>
  )
}
