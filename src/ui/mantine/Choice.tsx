/* The searched list of a SearchSelect: Mantine's Select without its own styles, in our look. */

import { type ComboboxData, Select } from '@mantine/core'
import { described } from '../Field.tsx'
import css from '../forms.module.css'
import type { Option, SelectFieldProps } from '../SelectField.tsx'
import { keepDialog, LISTS, ListLine, matching, takeMarked, useFloor } from './List.tsx'
import { MantineRoot } from './MantineRoot.tsx'

const CLASSES = {
  root: css.ChoiceThrough,
  wrapper: css.ChoiceThrough,
  input: css.ChoiceInput,
  section: css.ChoiceSection,
  ...LISTS,
}

/** Options under their headings, in the order the headings come. */
function grouped(options: readonly Option[]): ComboboxData<string> {
  const item = ({ value, label, disabled = false }: Option) => ({ value, label, disabled })
  return [...new Set(options.map(({ group }) => group))].flatMap((group): ComboboxData<string> => {
    const items = options.filter((one) => one.group === group).map(item)
    return group === undefined ? items : [{ group, items }]
  })
}

export function Choice<T extends string>(props: SelectFieldProps<T> & { id: string }) {
  const { id, label, hint, error, value, onChange, options, placeholder, name, disabled, required } = props
  const { anchor, list: floating } = useFloor()
  return (
    <MantineRoot>
      <span ref={anchor} className={css.ChoiceThrough} onKeyDownCapture={takeMarked}>
        <Select<string>
          unstyled
          classNames={CLASSES}
          id={id}
          aria-label={label}
          attributes={{ input: described(id, { hint, error }) }}
          data={grouped(options)}
          value={value === '' ? null : value}
          onChange={(next) => next !== null && onChange(next as T)}
          searchable
          allowDeselect={false}
          selectFirstOptionOnChange
          filter={matching}
          nothingFoundMessage="沒有符合的，換個字再找"
          placeholder={placeholder ?? ''}
          name={name ?? ''}
          disabled={disabled ?? false}
          required={required ?? false}
          error={Boolean(error)}
          rightSection={<span />}
          withScrollArea={false}
          comboboxProps={floating}
          onFocus={(event) => event.currentTarget.select()}
          onKeyDown={keepDialog}
          renderOption={({ option, checked = false }) => <ListLine label={option.label} chosen={checked} />}
        />
      </span>
    </MantineRoot>
  )
}
