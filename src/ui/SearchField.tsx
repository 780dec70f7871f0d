/* Search in a list: one box with the glass, cleared by its own key or Esc. */

import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import { InputBox } from './InputBox.tsx'
import { Kbd } from './Kbd.tsx'

/** `placeholder` says what is searched (名稱、商品、代號); `shortcut` only shows the key, listening is the page's. */
export type SearchFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  placeholder?: string
  shortcut?: string
  id?: string
  className?: string | undefined
}

export function SearchField({
  label,
  value,
  onChange,
  placeholder,
  shortcut,
  id,
  className,
}: SearchFieldProps) {
  return (
    <InputBox as="search" find className={className}>
      <Icon name="search" size={18} className="ink3" />
      <input
        id={id}
        type="search"
        aria-label={label}
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        enterKeyHint="search"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          // what is searched is found while it is typed; a form around it is not sent by that
          if (event.key === 'Enter') event.preventDefault()
          if (event.key !== 'Escape') return
          if (value) onChange('')
          // with nothing to clear it gives the page's keys back
          else event.currentTarget.blur()
        }}
      />
      {value ? (
        <IconButton icon="close" label="清除搜尋" size={16} inField onClick={() => onChange('')} />
      ) : (
        shortcut && <Kbd>{shortcut}</Kbd>
      )}
    </InputBox>
  )
}
