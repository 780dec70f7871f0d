/* The text of an announcement while it is written: Markdown with its keys, and a preview. */

import { type KeyboardEvent, lazy, Suspense, useId, useRef, useState } from 'react'
import { ANNOUNCEMENT_BODY } from '#contract/limits.ts'
import { number } from '#text/format.ts'
import { Counted, described, Field, InputBox } from '#ui/Field.tsx'
import { BY_KEYBOARD, EDITS, edited, type FormatKey, FormatKeys } from '#ui/markdown/FormatKeys.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './BodyField.module.css'

// who only writes does not need the reader
const Markdown = lazy(() =>
  import('#ui/markdown/Markdown.tsx').then(({ Markdown }) => ({ default: Markdown })),
)

export type BodyFieldProps = {
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  error: string | undefined
}

const VIEWS = [
  { value: 'write', label: '撰寫' },
  { value: 'read', label: '預覽' },
] as const

export function BodyField({ value, onChange, onBlur, error }: BodyFieldProps) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [view, setView] = useState<'write' | 'read'>('write')
  const press = (key: FormatKey) => {
    const box = area.current as HTMLTextAreaElement
    const edit = EDITS[key](value, box.selectionStart, box.selectionEnd)
    const next = edited(value, edit)
    if (next.length > ANNOUNCEMENT_BODY) return
    box.focus()
    box.setSelectionRange(edit.from, edit.to)
    // as if it were typed, so that 復原 takes it back
    if (!document.execCommand('insertText', false, edit.text)) onChange(next)
    box.setSelectionRange(...edit.select)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const key = BY_KEYBOARD[event.key.toLowerCase()]
    if (!key || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    press(key)
  }
  const hint = <Counted hint="" used={number(value.length)} max={number(ANNOUNCEMENT_BODY)} />
  return (
    <Field
      id={id}
      label="內容"
      hint={hint}
      error={error}
      action={<Segments label="內容" value={view} onChange={setView} options={VIEWS} />}
    >
      {view === 'read' ? (
        <section className={css.read} aria-label="內容預覽">
          <Suspense fallback={<Skeleton type="list" inside label="預覽載入中" />}>
            {value.trim() ? <Markdown text={value} /> : <p className="ink3">還沒有寫內容。</p>}
          </Suspense>
        </section>
      ) : (
        <div>
          <FormatKeys label="內容" onKey={press} />
          <InputBox tall error={Boolean(error)}>
            <textarea
              ref={area}
              {...described(id, { hint, error })}
              name="body"
              value={value}
              rows={8}
              maxLength={ANNOUNCEMENT_BODY}
              placeholder={'下週一休市，週二照常\n## 結算\n- **週三** 結算'}
              onChange={(event) => onChange(event.target.value)}
              onBlur={onBlur}
              onKeyDown={onKeyDown}
            />
          </InputBox>
        </div>
      )}
    </Field>
  )
}
