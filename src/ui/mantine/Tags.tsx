/* What a TagsField becomes: Mantine's TagsInput without its own styles, in our look, the words in use under it to choose from. */

import { TagsInput } from '@mantine/core'
import { useState } from 'react'
import type { FieldFrame } from '../Field.tsx'
import hintCss from '../fields.module.css'
import css from '../forms.module.css'
import { Icon } from '../Icon.tsx'
import { cx } from '../open.ts'
import tagCss from '../states.module.css'
import { isParted, withWords } from '../tag-words.ts'
import { keepDialog, LISTS, matching, useFloor } from './List.tsx'
import { MantineRoot } from './MantineRoot.tsx'

/** `value` the words, `noun` what one is called (標籤), `known` those to choose from. */
export type TagsProps = FieldFrame & {
  noun: string
  value: readonly string[]
  onChange: (value: string[]) => void
  onBlur?: () => void
  known?: readonly string[]
  name?: string
  placeholder?: string
}

export function Tags({
  id,
  noun,
  value,
  onChange,
  onBlur,
  known = [],
  ...field
}: TagsProps & { id: string }) {
  const { label, hint, error, name, placeholder } = field
  const [typed, setTyped] = useState('')
  const { anchor, list: floating } = useFloor()
  const change = (words: string[]) => {
    if (words.join() !== value.join()) onChange(words)
  }
  return (
    <MantineRoot>
      <span ref={anchor} className={css.TagsThrough}>
        <TagsInput
          unstyled
          classNames={{
            ...LISTS,
            root: css.Tags,
            wrapper: cx(hintCss.InputBox, css.TagsBox, error && hintCss.InputBoxError),
            input: css.TagsAround,
            pillsList: css.TagsFlow,
            inputField: css.TagsInput,
            section: css.TagsSection,
            description: hintCss.Hint ?? '',
            error: cx(hintCss.Hint, hintCss.HintError),
          }}
          id={id}
          aria-label={label}
          inputWrapperOrder={['input', 'description', 'error']}
          description={error ? null : hint}
          error={
            error && (
              <>
                <Icon name="warning" size={16} className={hintCss.HintSign} />
                <span>{error}</span>
              </>
            )
          }
          errorProps={{ role: 'alert' }}
          data={[...known]}
          value={[...value]}
          onChange={change}
          searchValue={typed}
          onSearchChange={(text) => {
            // also the commas of an input method, which no key tells of
            if (!isParted(text)) return setTyped(text)
            setTyped('')
            change(withWords(value, text))
          }}
          isDuplicate={(word, words) => words.includes(word)}
          splitChars={[',', '，', '、']}
          onBlur={onBlur ?? (() => {})}
          name={name ?? ''}
          placeholder={value.length === 0 ? (placeholder ?? '') : ''}
          filter={matching}
          withScrollArea={false}
          rightSection={<span />}
          comboboxProps={floating}
          onKeyDown={keepDialog}
          renderPill={({ value: word, onRemove }) => (
            <span className={cx(tagCss.Tag, css.TagsWord)}>
              <span className="el">{word}</span>
              <button type="button" aria-label={`移除${noun} ${word}`} onClick={onRemove}>
                <Icon name="close" size={14} />
              </button>
            </span>
          )}
        />
      </span>
    </MantineRoot>
  )
}
