/* The keys over a Markdown text: bold, italic, heading, list, link, picture where there may be one; each tall enough for a thumb. */

import { type ReactNode, useRef } from 'react'
import { Icon } from '../Icon.tsx'
import css from './markdown.module.css'

export type FormatKey = 'bold' | 'italic' | 'heading' | 'list' | 'link'

const KEYS: readonly { key: FormatKey; label: string; sign: ReactNode }[] = [
  { key: 'bold', label: '粗體', sign: <b>B</b> },
  { key: 'italic', label: '斜體', sign: <i className={css.FormatToolbarSlanted}>I</i> },
  { key: 'heading', label: '標題', sign: <b>H</b> },
  { key: 'list', label: '清單', sign: <Icon name="rows" size={20} /> },
  { key: 'link', label: '連結', sign: <Icon name="link" size={20} /> },
]

/** What each does to a text. */
export const EDITS: Record<FormatKey, (value: string, from: number, to: number) => TextEdit> = {
  bold: (value, from, to) => around(value, from, to, '**'),
  italic: (value, from, to) => around(value, from, to, '*'),
  heading: (value, from, to) => before(value, from, to, '## '),
  list: (value, from, to) => before(value, from, to, '- '),
  link,
}
/** With Ctrl or ⌘. */
export const BY_KEYBOARD: Record<string, FormatKey> = { b: 'bold', i: 'italic', k: 'link' }

/** `label` what the text is (說明); `noImages` why no picture can be added now; `onKey` must not lose the selection. Without `onFiles` there are none. */
export type FormatToolbarProps = {
  label: string
  onKey: (key: FormatKey) => void
  onFiles?: (files: readonly File[]) => void
  noImages?: string | null
}

export function FormatToolbar({ label, onKey, onFiles, noImages = null }: FormatToolbarProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={css.FormatToolbar} role="toolbar" aria-label={`${label}的格式`}>
      {KEYS.map(({ key, label, sign }) => (
        <button
          key={key}
          type="button"
          aria-label={label}
          title={label}
          // the text keeps its selection, and the phone its keyboard
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onKey(key)}
        >
          {sign}
        </button>
      ))}
      {onFiles && (
        <>
          <button
            type="button"
            aria-label="圖片"
            title={noImages ?? '圖片'}
            disabled={noImages !== null}
            onClick={() => input.current?.click()}
          >
            <Icon name="image" size={20} />
          </button>
          <input
            ref={input}
            type="file"
            multiple
            accept="image/png,image/jpeg,image/webp"
            className="vh"
            tabIndex={-1}
            aria-hidden="true"
            data-testid="note-image-file"
            onChange={(event) => {
              const files = [...(event.target.files ?? [])]
              // the same file may be chosen again after a failure
              event.target.value = ''
              onFiles(files)
            }}
          />
        </>
      )}
    </div>
  )
}

// What the keys over a note do to its text: which part is replaced, by what, and what is selected afterwards. Pure, so that 復原 can take each back.

/** `select` is counted in the new text. */
export interface TextEdit {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly select: readonly [from: number, to: number]
}

const PLACEHOLDER = '文字'

/** Bold, italic: around what is selected, or away from it. */
export function around(value: string, from: number, to: number, mark: string): TextEdit {
  const [before, behind] = [value.slice(from - mark.length, from), value.slice(to, to + mark.length)]
  const inside = value.slice(from, to)
  // of ** a single star is no italic
  const longer = value[from - mark.length - 1] === mark[0] && mark.length === 1
  if (before === mark && behind === mark && !longer)
    return {
      from: from - mark.length,
      to: to + mark.length,
      text: inside,
      select: [from - mark.length, to - mark.length],
    }
  const text = inside || PLACEHOLDER
  const start = from + mark.length
  return { from, to, text: mark + text + mark, select: [start, start + text.length] }
}

/** Heading, list: before each line that the selection touches, or away from all of them. */
export function before(value: string, from: number, to: number, mark: string): TextEdit {
  const start = value.lastIndexOf('\n', from - 1) + 1
  const end = value.indexOf('\n', to)
  const stop = end < 0 ? value.length : end
  const lines = value.slice(start, stop).split('\n')
  const has = lines.every((line) => line.startsWith(mark))
  const text = lines.map((line) => (has ? line.slice(mark.length) : mark + line)).join('\n')
  return { from: start, to: stop, text, select: [start + text.length, start + text.length] }
}

/** A link of what is selected: its words are there, or its address. */
export function link(value: string, from: number, to: number): TextEdit {
  const inside = value.slice(from, to)
  if (/^https?:\/\/\S+$/.test(inside))
    return {
      from,
      to,
      text: `[${PLACEHOLDER}](${inside})`,
      select: [from + 1, from + 1 + PLACEHOLDER.length],
    }
  const words = inside || PLACEHOLDER
  const start = from + words.length + 3
  return { from, to, text: `[${words}](https://)`, select: [start, start + 'https://'.length] }
}

/** A picture in lines of its own, behind what is selected. */
export function picture(value: string, at: number, url: string): TextEdit {
  const [above, below] = [value.slice(0, at), value.slice(at)]
  const lead = above === '' || above.endsWith('\n\n') ? '' : above.endsWith('\n') ? '\n' : '\n\n'
  const tail = below.startsWith('\n') ? '\n' : '\n\n'
  const text = `${lead}![圖片](${url})${tail}`
  const words = at + lead.length + 2
  return { from: at, to: at, text, select: [words, words + '圖片'.length] }
}

/** The whole text after it. */
export function edited(value: string, { from, to, text }: TextEdit): string {
  return value.slice(0, from) + text + value.slice(to)
}
