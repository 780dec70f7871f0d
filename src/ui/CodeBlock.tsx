/* Text of machines, as it is: message templates, raw bodies, commands. */

import { Fragment } from 'react'
import { CopyButton } from './CopyButton.tsx'
import css from './figures.module.css'
import { cx } from './open.ts'

/** A piece of code: `key` darker, `var` brand (a placeholder), `mark` the part that is wrong; `as` what a value is, behind it; `at` its name, for who presses it. */
export type CodePart =
  | string
  | { text: string; kind: 'key' | 'var' | 'mark' }
  | { text: string; as: string; at?: string }

/** `label` names the block; `copy` the verb of the key at its corner (copies the whole text); `wrap` breaks long lines. */
export type CodeBlockProps = {
  code: string | readonly CodePart[]
  label: string
  copy?: string
  wrap?: boolean
  /** Wrapped lines keep clear of the key. */
  clear?: boolean
  /** On a sunken ground: white, with a hairline. */
  raised?: boolean
  /** At most nine lines, the rest by scrolling. */
  low?: boolean
  /** For a person to read: larger, and only what is marked counts. */
  read?: boolean
  /** Values that have a name can be pressed. */
  onPick?: (at: string) => void
  /** Its place. */
  className?: string | undefined
}

export function CodeBlock(props: CodeBlockProps) {
  const { code, label, copy, wrap, clear, raised, low, read, onPick, className } = props
  const parts = typeof code === 'string' ? [code] : code
  const text = parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')
  const name = cx(
    css.CodeBlockCode,
    wrap && css.CodeBlockWrap,
    clear && css.CodeBlockClear,
    raised && css.CodeBlockRaised,
    low && css.CodeBlockLow,
    read && css.CodeBlockRead,
  )
  let at = 0
  return (
    <div className={cx(css.CodeBlock, className)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className={name} aria-label={label} tabIndex={0}>
        <pre>
          {parts.map((part) => {
            if (typeof part === 'string') return read ? broken(part) : part
            at += 1
            if ('as' in part)
              return (
                <mark key={at} className={part.as === '' ? css.CodeBlockPlain : css.CodeBlockValue}>
                  {onPick && part.at !== undefined ? (
                    <button type="button" onClick={() => onPick(part.at ?? '')}>
                      {part.text}
                    </button>
                  ) : (
                    part.text
                  )}
                  {part.as !== '' && <small>{part.as}</small>}
                </mark>
              )
            return part.kind === 'mark' ? (
              <mark key={at}>{part.text}</mark>
            ) : (
              <span key={at} className={part.kind === 'key' ? css.CodeBlockK : css.CodeBlockV}>
                {part.text}
              </span>
            )
          })}
        </pre>
      </section>
      {copy && (
        <CopyButton size="s" text={text} className={css.CodeBlockCp}>
          {copy}
        </CopyButton>
      )}
    </div>
  )
}

/** Lines end where a part of the message ends. */
const broken = (text: string) =>
  text.split(/(?<=,)/).map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never change places
    <Fragment key={at}>
      {piece}
      {piece.endsWith(',') && <wbr />}
    </Fragment>
  ))
