/* Words of the sender and what each stands for: actions, and units of the quantity. */
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { type Option, SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import type { Word } from './form.ts'
import css from './WordRows.module.css'

/** `blank` is shown for the empty word, which stands for figures without one; without it no word is empty. */
export type WordRowsProps<T extends string> = {
  title: string
  words: readonly Word<T>[]
  options: readonly Option<T>[]
  example: string
  most: number
  blank?: string
  onChange: (words: Word<T>[]) => void
}

export function WordRows<T extends string>(props: WordRowsProps<T>) {
  const { title, words, options, example, most, blank, onChange } = props
  const set = (key: number, change: Partial<Word<T>>) =>
    onChange(words.map((word) => (word.key === key ? { ...word, ...change } : word)))
  const next = words.reduce((max, { key }) => Math.max(max, key + 1), 0)
  return (
    <fieldset className={css.root}>
      <legend className="t13 w6 ink2">{title}</legend>
      {words.map(({ key, word, means }) => (
        <div key={key} className={css.word}>
          <TextField
            label={`${title}：訊息裡的字`}
            hideLabel
            value={word}
            maxLength={most}
            placeholder={blank ?? example}
            onChange={(text) => set(key, { word: text })}
          />
          <SelectField
            label={`「${word || blank || '這個字'}」的意思`}
            hideLabel
            value={means}
            placeholder="請選意思"
            onChange={(value) => set(key, { means: value })}
            options={options}
          />
          <IconButton
            icon="close"
            size={16}
            label={`移除「${word || blank || '這個字'}」`}
            onClick={() => onChange(words.filter((one) => one.key !== key))}
          />
        </div>
      ))}
      <div>
        <Button
          kind="ghost"
          size="s"
          icon="plus"
          onClick={() => onChange([...words, { key: next, word: '', means: '' }])}
        >
          加一個字
        </Button>
      </div>
    </fieldset>
  )
}
