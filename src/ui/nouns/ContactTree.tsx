/* How somebody is reached: entries that open what they say, those that head others with them under it. */

import { type Contact, contactAddress } from '#text/contact.ts'
import { Icon, type IconName } from '../Icon.tsx'
import { cx } from '../open.ts'
import css from './cards.module.css'

export const CONTACT_ICONS: Record<Contact['type'], IconName> = {
  line: 'chat',
  telegram: 'send',
  email: 'mail',
  phone: 'phone',
  url: 'link',
  text: 'info',
}

/** `cover` hides a value for privacy mode; `columns`: entries beside each other where there is room. */
export type ContactTreeProps = {
  nodes: readonly Contact[]
  cover?: (text: string) => string
  columns?: boolean
}

export function ContactTree({ nodes, cover = (text) => text, columns = false }: ContactTreeProps) {
  return (
    <ul className={cx(css.ContactTree, columns && css.ContactTreeColumns)}>
      {nodes.map((node, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no name of its own, and two may say the same
        <li key={at}>
          {node.value ? (
            <Entry node={node} cover={cover} />
          ) : (
            <p className={css.ContactTreeHeading}>{node.label}</p>
          )}
          {node.children && node.children.length > 0 && <ContactTree nodes={node.children} cover={cover} />}
        </li>
      ))}
    </ul>
  )
}

function Entry({ node, cover }: { node: Contact; cover: (text: string) => string }) {
  const address = contactAddress(node)
  const inside = (
    <>
      <Icon name={CONTACT_ICONS[node.type]} size={18} className={css.ContactTreeSign} />
      <span>
        <small>{node.label}</small>
        <b className="num">{cover(node.value ?? '')}</b>
      </span>
    </>
  )
  if (!address) return <p className={css.ContactTreeEntry}>{inside}</p>
  const elsewhere = /^https:/i.test(address)
  return (
    <a
      className={css.ContactTreeEntry}
      href={address}
      {...(elsewhere && { target: '_blank', rel: 'noopener noreferrer' })}
    >
      {inside}
    </a>
  )
}
