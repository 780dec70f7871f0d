/* The verdict on the message under the settings on the screen, where it stays in sight. */
import type { Preview } from '#contract/mapping.ts'
import { failureSentence } from '#screen/failure.ts'
import { cx } from '#ui/open.ts'
import { Tag } from '#ui/Tag.tsx'
import { verdictOf } from '../words.ts'
import css from './Tried.module.css'
import { trialWords } from './words.ts'

export type TriedProps = { preview: Preview | undefined; error: unknown; stale: boolean }

export function Tried({ preview, error, stale }: TriedProps) {
  if (!preview)
    return (
      <p className={css.root} role="status">
        {error ? failureSentence(error, '填的內容還在，') : '試讀中'}
      </p>
    )
  const { text, tone, icon } = verdictOf(preview)
  return (
    <div className={stale ? cx(css.root, css.stale) : css.root} role="status" aria-busy={stale}>
      <Tag tone={tone} icon={icon}>
        {text}
      </Tag>
      <span>{trialWords(preview)}</span>
    </div>
  )
}
