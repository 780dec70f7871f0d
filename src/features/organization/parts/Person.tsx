/* A person in a row: face, name, a second line under it. */
import type { ReactNode } from 'react'
import { Avatar } from '#ui/Avatar.tsx'
import { cx } from '#ui/open.ts'
import css from './Person.module.css'
import { usePeople } from './people.ts'
import { TwoLines } from './TwoLines.tsx'

/** `note` the second line, already covered where it names somebody. `dim` for those whose time is over. */
export type PersonProps = {
  name: string
  avatar: string | null
  note?: ReactNode
  dim?: boolean
  size?: number
}

export function Person({ name, avatar, note, dim = false, size = 36 }: PersonProps) {
  const { cover, face } = usePeople()
  const shown = cover(name)
  return (
    <span className={dim ? cx(css.root, css.dim) : css.root}>
      <Avatar name={shown} src={face(avatar)} size={size} dim={dim} />
      <TwoLines>
        <b className="el" title={shown}>
          {shown}
        </b>
        {note && <small className="el">{note}</small>}
      </TwoLines>
    </span>
  )
}
