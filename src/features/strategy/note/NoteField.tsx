/* The note while it is written: the text with its keys, pictures by key, paste or drop, and a preview. */

import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { NOTE_IMAGE_PX, NOTE_IMAGES } from '#contract/limits.ts'
import { newKey } from '#data/client.ts'
import { noteImageMutations } from '#data/nouns/strategy.ts'
import { useOnline } from '#screen/browser.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Counted, described, Field, InputBox } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import {
  BY_KEYBOARD,
  EDITS,
  edited,
  type FormatKey,
  FormatToolbar,
  picture,
  type TextEdit,
} from '#ui/markdown/FormatToolbar.tsx'
import { cx } from '#ui/open.ts'
import { useMouse } from '#ui/SearchSelect.tsx'
import { Segments } from '#ui/Segments.tsx'
import { shrink } from '#ui/shrink.ts'
import css from './NoteField.module.css'
import { NoteText } from './NoteText.tsx'

/** `strategy_id` empty for a new strategy. */
export type NoteFieldProps = {
  strategy_id: string
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  error: string | undefined
}

const MOST = 20_000
const OFFLINE = '離線時不能加圖片，連上網路再加；文字可以先寫。'

export function NoteField({ strategy_id, value, onChange, onBlur, error }: NoteFieldProps) {
  const id = useId()
  const online = useOnline()
  const dragged = useMouse()
  const area = useRef<HTMLTextAreaElement>(null)
  const now = useRef(value)
  now.current = value
  const [view, setView] = useState<'write' | 'read'>('write')
  const [over, setOver] = useState(false)

  const apply = (edit: TextEdit) => {
    const box = area.current
    const next = edited(now.current, edit)
    if (next.length > MOST) return false
    box?.focus()
    box?.setSelectionRange(edit.from, edit.to)
    // as if it were typed, so that 復原 takes it back
    if (!box || !document.execCommand('insertText', false, edit.text)) {
      now.current = next
      onChange(next)
    }
    box?.setSelectionRange(...edit.select)
    return true
  }
  const press = (key: FormatKey) => {
    const { selectionStart: from, selectionEnd: to } = area.current as HTMLTextAreaElement
    apply(EDITS[key](now.current, from, to))
  }
  const uploads = useUploads(
    () => now.current.split('![').length - 1,
    (url) => apply(picture(now.current, area.current?.selectionEnd ?? now.current.length, url)),
  )
  const brought = (event: ClipboardEvent | DragEvent, data: DataTransfer | null) => {
    const files = [...(data?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    uploads.bring(files)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const key = BY_KEYBOARD[event.key.toLowerCase()]
    if (!key || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    press(key)
  }
  const full = value.split('![').length - 1 >= NOTE_IMAGES
  const noImages = online ? (full ? `最多 ${NOTE_IMAGES} 張圖片。` : null) : OFFLINE
  const hint = (
    <Counted
      hint={noImages ?? (dragged ? '選填。圖片可以貼上或拖進來。' : '選填。圖片用圖片鍵加入。')}
      used={number(value.length)}
      max={number(MOST)}
    />
  )
  const options = [
    { value: 'write', label: '撰寫' },
    { value: 'read', label: '預覽' },
  ] as const
  return (
    <Field
      id={id}
      label="策略說明"
      hint={hint}
      error={error}
      action={<Segments label="說明" value={view} onChange={setView} options={options} />}
    >
      {view === 'read' ? (
        <section className={css.read} aria-label="說明預覽">
          {value.trim() ? (
            <NoteText strategy_id={strategy_id} text={value} />
          ) : (
            <p className="ink3">還沒有寫說明。</p>
          )}
        </section>
      ) : (
        <div className={cx(css.write, over && css.over)}>
          <FormatToolbar label="說明" onKey={press} onFiles={uploads.bring} noImages={noImages} />
          <InputBox tall error={Boolean(error)}>
            <textarea
              ref={area}
              {...described(id, { hint, error })}
              name="note"
              value={value}
              rows={10}
              maxLength={MOST}
              placeholder={'進出場條件、參數、注意事項\n## 進場\n- **突破** 20 日高'}
              onChange={(event) => onChange(event.target.value)}
              onBlur={onBlur}
              onKeyDown={onKeyDown}
              onPaste={(event) => brought(event, event.clipboardData)}
              onDragOver={(event) => {
                if (!event.dataTransfer.types.includes('Files')) return
                event.preventDefault()
                setOver(true)
              }}
              onDragLeave={() => setOver(false)}
              onDrop={(event) => {
                setOver(false)
                brought(event, event.dataTransfer)
              }}
            />
          </InputBox>
        </div>
      )}
      {uploads.list.length > 0 && <NoteUploads uploads={uploads} />}
    </Field>
  )
}

/* Pictures on their way into the note, and those that did not arrive: tried again or let go. */

export function NoteUploads({ uploads: { list, retry, drop } }: { uploads: Uploads }) {
  return (
    <ul className={css.NoteUploads} aria-label="圖片上傳" aria-live="polite">
      {list.map((one) => (
        <li key={one.key} className={one.problem === null ? undefined : css.NoteUploadsFailed}>
          <Icon name={one.problem === null ? 'upload' : 'warning'} size={18} />
          <span>
            <b className="el">{one.file.name || '貼上的圖片'}</b>
            <small>{one.problem ?? '上傳中…'}</small>
          </span>
          {one.again && (
            <Button size="s" kind="ghost" onClick={() => retry(one)}>
              重試
            </Button>
          )}
          {one.problem !== null && (
            <Button size="s" kind="ghost" onClick={() => drop(one)}>
              不加了
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

// Pictures on their way into a note: one after the other; what failed keeps its file and says why, until it is tried again or let go.

/** `problem` null while it is under way; `again` where another try may help. */
export interface Upload {
  key: string
  file: File
  problem: string | null
  again: boolean
}

export interface Uploads {
  list: readonly Upload[]
  busy: boolean
  bring: (files: readonly File[]) => void
  retry: (upload: Upload) => void
  drop: (upload: Upload) => void
}

/** `count` how many the note has; `put` the address of one that has arrived; false where there is no room for it. */
export function useUploads(count: () => number, put: (url: string) => boolean): Uploads {
  const ctx = useCtx()
  const [list, setList] = useState<readonly Upload[]>([])
  const line = useRef<Promise<void>>(Promise.resolve())
  const change = (key: string, to: Partial<Upload> | null) =>
    setList((all) =>
      to === null
        ? all.filter((one) => one.key !== key)
        : all.map((one) => (one.key === key ? { ...one, ...to } : one)),
    )
  const send = async ({ key, file }: Upload) => {
    if (!file.type.startsWith('image/'))
      return change(key, { problem: '這不是圖片，請改用 PNG、JPEG 或 WebP。' })
    if (count() >= NOTE_IMAGES)
      return change(key, { problem: `一個說明最多 ${NOTE_IMAGES} 張圖片，請先移除一張。`, again: true })
    try {
      const image = await shrink(file, { max_px: NOTE_IMAGE_PX })
      const { url } = await noteImageMutations.upload(ctx).mutationFn({ image })
      change(key, put(url) ? null : { problem: '說明已經寫滿了，請先縮短再重試。', again: true })
    } catch (error) {
      change(key, { problem: failureSentence(error, '圖片還留在這裡，'), again: true })
    }
  }
  const queue = (upload: Upload) => {
    line.current = line.current.then(() => send(upload))
  }
  return {
    list,
    busy: list.some(({ problem }) => problem === null),
    bring(files) {
      const fresh = files.map((file) => ({ key: newKey(Date.now()), file, problem: null, again: false }))
      setList((all) => [...all, ...fresh])
      for (const one of fresh) queue(one)
    },
    retry(upload) {
      change(upload.key, { problem: null, again: false })
      queue(upload)
    },
    drop: ({ key }) => change(key, null),
  }
}
