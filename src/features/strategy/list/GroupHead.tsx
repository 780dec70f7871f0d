/* The name of a group over its strategies, how many they are, and the last day for all of them. */
import { Tag } from '#ui/Tag.tsx'
import css from './GroupHead.module.css'
import type { ListSection } from './sections.ts'
import { untilWords } from './sections.ts'

/** `today` in Taipei. */
export type GroupHeadProps = Pick<ListSection, 'name' | 'until'> & { count: number; today: string }

export function GroupHead({ name, until, count, today }: GroupHeadProps) {
  const words = until === undefined ? null : untilWords(until, today)
  return (
    <header className={css.root}>
      <h2 className="el" title={name}>
        {name}
      </h2>
      <span className="t13 ink3 num nowrap">{count} 個</span>
      <span className="sp" />
      {words &&
        (words.soon ? (
          <Tag tone="warn" icon="calendar">
            {words.text}
          </Tag>
        ) : (
          <span className="t13 ink3 num nowrap">{words.text}</span>
        ))}
    </header>
  )
}
