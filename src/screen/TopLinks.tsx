/* The links of the bar on top, as high as it is. */
import { cx, type opens } from '#ui/open.ts'
import css from './TopLinks.module.css'

/** `label` what they lead through; `here` leads to where one is; `desk` not on phones. */
export type TopLinksProps = {
  label: string
  links: readonly { href: string; label: string; here?: boolean; onClick?: ReturnType<typeof opens> }[]
  desk?: boolean
}

export function TopLinks({ label, links, desk = false }: TopLinksProps) {
  return (
    <nav className={cx(css.root, desk && 'desk')} aria-label={label}>
      {links.map(({ here = false, label: words, ...link }) => (
        <a key={link.href} {...link} aria-current={here ? 'page' : undefined}>
          {words}
        </a>
      ))}
    </nav>
  )
}
