/* Words of one's own, typed one by one, with those in use to choose from: Mantine's, and until its code has come a plain field that is as high. */

import { useId, useRef, useState } from 'react'
import { described, Field, InputBox } from './Field.tsx'
import css from './forms.module.css'
import { Icon } from './Icon.tsx'
import type { TagsProps } from './mantine/Tags.tsx'
import { arriving, useArrived } from './SearchSelect.tsx'
import tagCss from './states.module.css'
import { isParted, withWords } from './tag-words.ts'

const tags = arriving(() => import('./mantine/Tags.tsx'))

export function TagsField(props: TagsProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const Tags = useArrived(tags, box, true)?.Tags
  const { label, action, hideLabel = false } = props
  return (
    <div ref={box} className={css.TagsFieldWhole}>
      {Tags ? (
        <Field id={id} label={label} action={action} hideLabel={hideLabel}>
          <Tags {...props} id={id} />
        </Field>
      ) : (
        <PlainTags {...props} />
      )}
    </div>
  )
}

/** Added by Enter, a comma or leaving, taken away by Backspace or their own key. */
function PlainTags({ noun, value, onChange, onBlur, known: _, name, placeholder, ...field }: TagsProps) {
  const id = useId()
  const { error } = field
  const [typed, setTyped] = useState('')
  const add = (text: string) => {
    const next = withWords(value, text)
    if (next.length > value.length) onChange(next)
    setTyped('')
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for Enter and Backspace of the field inside
    <div
      onKeyDown={(event) => {
        if ((event.target as HTMLElement).tagName !== 'INPUT') return
        if (event.key === 'Enter' && typed.trim() !== '') {
          event.preventDefault()
          add(typed)
        }
        if (event.key === 'Backspace' && typed === '' && value.length > 0) onChange(value.slice(0, -1))
      }}
    >
      <Field {...field} id={id}>
        <InputBox error={Boolean(error)} className={css.TagsFieldBox}>
          {value.length > 0 && (
            <ul className={css.TagsFieldWords} aria-label={`已加入的${noun}`}>
              {value.map((word) => (
                <li key={word} className={tagCss.Tag}>
                  <span className="el">{word}</span>
                  <button
                    type="button"
                    aria-label={`移除${noun} ${word}`}
                    onClick={() => onChange(value.filter((other) => other !== word))}
                  >
                    <Icon name="close" size={14} />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <input
            {...described(id, field)}
            name={name}
            value={typed}
            placeholder={value.length === 0 ? placeholder : undefined}
            autoComplete="off"
            onChange={({ target: { value: text } }) => (isParted(text) ? add(text) : setTyped(text))}
            onBlur={() => {
              add(typed)
              onBlur?.()
            }}
          />
        </InputBox>
      </Field>
    </div>
  )
}
