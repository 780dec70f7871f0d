/* One field of the mapping: its path or fixed value, and what the last message has there. */
import { useId } from 'react'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { FIELD_WORDS, type Field, foundAt, type Row } from './mapping.ts'

/** `list` id of the datalist with the last message's paths; `body` that message. */
export type MappingRowProps = {
  field: Field
  row: Row
  onChange: (row: Row) => void
  body: string | null
  list: string
  error: string | undefined
}

export function MappingRow({ field, row, onChange, body, list, error }: MappingRowProps) {
  const id = useId()
  const found = row.fixed ? row.text : foundAt(body, row.text.trim())
  const missing = !row.fixed && row.text.trim() !== '' && body !== null && found === null
  return (
    <div className="wh-row">
      <label htmlFor={id}>{FIELD_WORDS[field]}</label>
      <span className={error ? 'in mono-in err' : 'in mono-in'}>
        <input
          id={id}
          value={row.text}
          list={row.fixed ? undefined : list}
          maxLength={row.fixed ? 200 : 100}
          placeholder={row.fixed ? '固定的值' : '自動'}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          onChange={(event) => onChange({ ...row, text: event.target.value })}
        />
      </span>
      <IconButton
        icon="lock"
        size={16}
        label={`${FIELD_WORDS[field]}用固定的值`}
        pressed={row.fixed}
        className={row.fixed ? 'on' : 'ink3'}
        onClick={() => onChange({ ...row, fixed: !row.fixed })}
      />
      <span className={missing ? 'wh-found danger-ink' : 'wh-found mono'} title={found ?? undefined}>
        {missing ? (
          <>
            <Icon name="warning" size={14} />
            找不到
          </>
        ) : (
          found
        )}
      </span>
      {error && <p className="hint err">{error}</p>}
    </div>
  )
}
