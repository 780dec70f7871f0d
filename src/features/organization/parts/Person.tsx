/* A person in a row: face, name, a second line under it. */
import type { ReactNode } from 'react'
import { cx } from '#ui/open.ts'
import { Avatar } from '#ui/Tag.tsx'
import css from './Person.module.css'
import { usePeople } from './people.ts'
import { TwoLines } from './TwoLines.tsx'

/** `note` the second line, already covered where it names somebody. `dim` for those whose time is over. `onOpen` makes it a key. */
export type PersonProps = {
  name: string
  avatar: string | null
  note?: ReactNode
  dim?: boolean
  size?: number
  onOpen?: () => void
}

export function Person({ name, avatar, note, dim = false, size = 36, onOpen }: PersonProps) {
  const { cover, face } = usePeople()
  const shown = cover(name)
  const look = cx(css.root, dim && css.dim, onOpen && css.key)
  const inside = (
    <>
      <Avatar name={shown} src={face(avatar)} size={size} dim={dim} />
      <TwoLines>
        <b className="el" title={shown}>
          {shown}
        </b>
        {note && <small className="el">{note}</small>}
      </TwoLines>
    </>
  )
  return onOpen ? (
    <button type="button" className={look} onClick={onOpen}>
      {inside}
    </button>
  ) : (
    <span className={look}>{inside}</span>
  )
}
