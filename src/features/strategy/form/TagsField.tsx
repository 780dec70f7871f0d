/* Tags: typed one by one, added by Enter or a comma, taken away by their own key. */
import { useState } from 'react'
import { Icon } from '#ui/Icon.tsx'
import { TextField } from '#ui/TextField.tsx'
import type { Bound } from './use-form.ts'

const MOST = 10

export function TagsField({ value, onChange, onBlur, error }: Bound<'tags'>) {
  const [typed, setTyped] = useState('')
  const add = (text: string) => {
    const fresh = text
      .split(/[,，、]/)
      .map((tag) => tag.trim())
      .filter((tag, at, all) => tag !== '' && !value.includes(tag) && all.indexOf(tag) === at)
    if (fresh.length > 0) onChange([...value, ...fresh])
    setTyped('')
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for Enter and Backspace of the field inside
    <div
      className="tags-field"
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || (event.target as HTMLElement).tagName !== 'INPUT') return
        if (event.key === 'Enter' && typed.trim() !== '') {
          event.preventDefault()
          add(typed)
        }
        if (event.key === 'Backspace' && typed === '' && value.length > 0) onChange(value.slice(0, -1))
      }}
    >
      <TextField
        label="標籤"
        value={typed}
        placeholder={value.length === 0 ? '例如：突破、當沖' : ''}
        hint={`按 Enter 加入，最多 ${MOST} 個，每個 20 字`}
        error={error}
        onChange={(text) => (/[,，、]/.test(text) ? add(text) : setTyped(text))}
        onBlur={() => {
          add(typed)
          onBlur()
        }}
      />
      {value.length > 0 && (
        <ul className="tags-on" aria-label="已加入的標籤">
          {value.map((tag) => (
            <li key={tag} className="tag">
              <span className="el">{tag}</span>
              <button
                type="button"
                aria-label={`移除標籤 ${tag}`}
                onClick={() => onChange(value.filter((other) => other !== tag))}
              >
                <Icon name="close" size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
