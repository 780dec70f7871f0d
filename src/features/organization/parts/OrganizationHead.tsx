/* The head of an organization's card: its sign and name, what it is to me, and what ends the line. */
import type { ReactNode } from 'react'
import { Avatar } from '#ui/Tag.tsx'
import css from './OrganizationHead.module.css'
import { usePeople } from './people.ts'

/** `name` already covered where it must be; `children` the lines under it; `end` the key that ends the line. */
export type OrganizationHeadProps = {
  name: string
  logo: string | null
  children: ReactNode
  end?: ReactNode
  dim?: boolean
  large?: boolean
}

export function OrganizationHead({
  name,
  logo,
  children,
  end,
  dim = false,
  large = false,
}: OrganizationHeadProps) {
  const { face } = usePeople()
  return (
    <div className={css.root}>
      <Avatar name={name} src={face(logo)} size={large ? 56 : 44} dim={dim} />
      <div className="sp">
        <h2 className={large ? css.large : undefined}>{name}</h2>
        {children}
      </div>
      {end}
    </div>
  )
}
