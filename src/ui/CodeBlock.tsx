/* Text of machines, as it is: message templates, raw bodies, commands. */

import css from './CodeBlock.module.css'
import { CopyButton } from './CopyButton.tsx'

/** A piece of code: `key` darker, `var` brand (a placeholder), `mark` the part that is wrong. */
export type CodePart = string | { text: string; kind: 'key' | 'var' | 'mark' }

/** `label` names the block; `copy` the verb of the key at its corner (copies the whole text); `wrap` breaks long lines. */
export type CodeBlockProps = {
  code: string | readonly CodePart[]
  label: string
  copy?: string
  wrap?: boolean
}

export function CodeBlock({ code, label, copy, wrap = false }: CodeBlockProps) {
  const parts = typeof code === 'string' ? [code] : code
  const text = parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')
  let at = 0
  return (
    <div className={css.root}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className={wrap ? `${css.code} ${css.wrap}` : css.code} aria-label={label} tabIndex={0}>
        <pre>
          {parts.map((part) => {
            if (typeof part === 'string') return part
            at += 1
            return part.kind === 'mark' ? (
              <mark key={at}>{part.text}</mark>
            ) : (
              <span key={at} className={part.kind === 'key' ? css.k : css.v}>
                {part.text}
              </span>
            )
          })}
        </pre>
      </section>
      {copy && (
        <CopyButton size="s" text={text} className={css.cp}>
          {copy}
        </CopyButton>
      )}
    </div>
  )
}
