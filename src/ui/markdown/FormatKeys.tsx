/* The keys over a Markdown text: bold, italic, heading, list, link, picture where there may be one; each tall enough for a thumb. */
import { type ReactNode, useRef } from 'react'
import { Icon } from '../Icon.tsx'
import { around, before, link, type TextEdit } from './edit.ts'
import css from './FormatKeys.module.css'

export type FormatKey = 'bold' | 'italic' | 'heading' | 'list' | 'link'

const KEYS: readonly { key: FormatKey; label: string; sign: ReactNode }[] = [
  { key: 'bold', label: '粗體', sign: <b>B</b> },
  { key: 'italic', label: '斜體', sign: <i className={css.slanted}>I</i> },
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
export type FormatKeysProps = {
  label: string
  onKey: (key: FormatKey) => void
  onFiles?: (files: readonly File[]) => void
  noImages?: string | null
}

export function FormatKeys({ label, onKey, onFiles, noImages = null }: FormatKeysProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={css.root} role="toolbar" aria-label={`${label}的格式`}>
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
