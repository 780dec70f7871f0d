/* The keys over a note: bold, italic, heading, list, link, picture; each tall enough for a thumb. */
import { type ReactNode, useRef } from 'react'
import { Icon } from '#ui/Icon.tsx'
import css from './NoteToolbar.module.css'

export type NoteKey = 'bold' | 'italic' | 'heading' | 'list' | 'link'

const KEYS: readonly { key: NoteKey; label: string; sign: ReactNode }[] = [
  { key: 'bold', label: '粗體', sign: <b>B</b> },
  { key: 'italic', label: '斜體', sign: <i className={css.slanted}>I</i> },
  { key: 'heading', label: '標題', sign: <b>H</b> },
  { key: 'list', label: '清單', sign: <Icon name="rows" size={20} /> },
  { key: 'link', label: '連結', sign: <Icon name="link" size={20} /> },
]

/** `noImages` why no picture can be added now; `onKey` must not lose the selection. */
export type NoteToolbarProps = {
  onKey: (key: NoteKey) => void
  onFiles: (files: readonly File[]) => void
  noImages: string | null
}

export function NoteToolbar({ onKey, onFiles, noImages }: NoteToolbarProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={css.root} role="toolbar" aria-label="說明的格式">
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
    </div>
  )
}
