/* Words of the sender and the action that each stands for. */

import { ACTION_WORDS } from '#trading/action-words.ts'
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { ACTION_OPTIONS, type Word } from './mapping.ts'

export function WordsForm({
  words,
  onChange,
}: {
  words: readonly Word[]
  onChange: (words: Word[]) => void
}) {
  const set = (key: number, change: Partial<Word>) =>
    onChange(words.map((word) => (word.key === key ? { ...word, ...change } : word)))
  const next = words.reduce((max, { key }) => Math.max(max, key + 1), 0)
  return (
    <fieldset className="wh-words">
      <legend className="t13 w6 ink2">動作的字</legend>
      {words.map(({ key, word, action }) => (
        <div key={key} className="wh-word">
          <TextField
            label="訊息裡的字"
            hideLabel
            value={word}
            maxLength={60}
            placeholder="例如 做多"
            onChange={(text) => set(key, { word: text })}
          />
          <SelectField
            label="代表的動作"
            hideLabel
            value={action}
            placeholder="選動作"
            onChange={(value) => set(key, { action: value })}
            options={ACTION_OPTIONS.map((value) => ({ value, label: ACTION_WORDS[value] }))}
          />
          <IconButton
            icon="close"
            size={16}
            label={`移除「${word || '這個字'}」`}
            onClick={() => onChange(words.filter((one) => one.key !== key))}
          />
        </div>
      ))}
      <div>
        <Button
          kind="ghost"
          size="s"
          icon="plus"
          onClick={() => onChange([...words, { key: next, word: '', action: '' }])}
        >
          加一個字
        </Button>
      </div>
    </fieldset>
  )
}
