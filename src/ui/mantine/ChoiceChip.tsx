/* The searched list of a SearchChip: Mantine's Combobox behind our chip, with a field to type in. */

import { Combobox, useCombobox } from '@mantine/core'
import { useEffect, useState } from 'react'
import { InputBox } from '../Field.tsx'
import css from '../forms.module.css'
import { Icon } from '../Icon.tsx'
import { cx } from '../open.ts'
import type { ChipSelectProps } from '../Segments.tsx'
import chipsCss from '../switches.module.css'
import { LISTS, ListLine, matches, takeMarked, useFloor } from './List.tsx'
import { MantineRoot } from './MantineRoot.tsx'

export function ChoiceChip<T extends string>({
  label,
  value,
  onChange,
  options,
  all,
  prefix,
  says,
}: ChipSelectProps<T>) {
  const [word, setWord] = useState('')
  const { anchor, list: floating } = useFloor()
  const combobox = useCombobox({
    onDropdownOpen: () => {
      combobox.focusSearchInput()
      combobox.updateSelectedOptionIndex('active', { scrollIntoView: true })
    },
    onDropdownClose: (by) => {
      combobox.resetSelectedOption()
      setWord('')
      if (by === 'keyboard') combobox.focusTarget()
    },
  })
  const { selectFirstOption } = combobox
  useEffect(() => {
    if (word !== '') selectFirstOption()
  }, [word, selectFirstOption])
  const chosen = options.find((option) => option.value === value)
  const idle = says !== undefined || value === (all ?? ('' as T))
  const shown = options.filter((option) => matches(option.label, word))
  return (
    <MantineRoot>
      <span ref={anchor} className={css.ChoiceChip} onKeyDownCapture={takeMarked}>
        <Combobox
          store={combobox}
          unstyled
          classNames={LISTS}
          width={280}
          {...floating}
          onOptionSubmit={(next) => {
            combobox.closeDropdown('keyboard')
            onChange(next as T)
          }}
        >
          <Combobox.Target targetType="button" withExpandedAttribute={false}>
            <button
              type="button"
              className={cx(chipsCss.ChipsChip, !idle && chipsCss.ChipsOn)}
              aria-label={`${label}：${chosen?.label ?? ''}`}
              onClick={() => combobox.toggleDropdown()}
            >
              {says ?? (prefix ? `${label}：${chosen?.label ?? ''}` : idle ? label : chosen?.label)}
              <Icon name="chevron-down" size={16} className={chipsCss.ChipsArrow} />
            </button>
          </Combobox.Target>
          <Combobox.Dropdown>
            <InputBox find className={css.ChoiceChipSearch}>
              <Icon name="search" size={18} className="ink3" />
              <Combobox.Search
                unstyled
                classNames={{ wrapper: css.ChoiceChipThrough, input: css.ChoiceChipInput }}
                aria-label={`找${label}`}
                placeholder={`找${label}`}
                value={word}
                onChange={(event) => setWord(event.currentTarget.value)}
                onBlur={() => combobox.closeDropdown()}
              />
            </InputBox>
            <Combobox.Options aria-label={label}>
              {shown.map((option) => (
                <Combobox.Option
                  key={option.value}
                  value={option.value}
                  active={option.value === value}
                  aria-selected={option.value === value}
                  disabled={option.disabled ?? false}
                >
                  <ListLine label={option.label} chosen={option.value === value} />
                </Combobox.Option>
              ))}
            </Combobox.Options>
            {shown.length === 0 && <p className={LISTS.empty}>沒有符合的，換個字再找</p>}
          </Combobox.Dropdown>
        </Combobox>
      </span>
    </MantineRoot>
  )
}
