/* Which signals a rule is about: what is left empty asks nothing. */
import { SYMBOLS_MOST } from '#contract/kinds/stock.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import { RULE_ACTIONS, SECURITY_TYPES } from '#trading/stock-rules.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TagsField } from '#ui/TagsField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { Two } from '../../form/Fields.tsx'
import type { Chosen, Typed } from './draft.ts'
import css from './RuleSheet.module.css'
import { TYPES } from './words.ts'

export type FieldOf = (name: keyof Typed) => {
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  error: string | undefined
}
export type MatchFieldsProps = {
  chosen: Chosen
  change: (changes: Partial<Chosen>) => void
  field: FieldOf
  errors: Record<string, string>
}

/** Codes as people type them: full-width digits, with a name behind. */
const codes = (words: readonly string[]) => [
  ...new Set(words.map((word) => word.normalize('NFKC').trim().split(/\s/)[0]?.toUpperCase() ?? '')),
]

export function MatchFields({ chosen, change, field, errors }: MatchFieldsProps) {
  return (
    <fieldset className={css.part}>
      <legend>哪些訊號</legend>
      <p className="t13 ink3">留空就是不限；填了的都要符合。訊號沒有寫的（例如成交量），不算符合。</p>
      <TagsField
        label="股票代號"
        noun="代號"
        name="symbols"
        value={chosen.symbols}
        onChange={(symbols) => change({ symbols: codes(symbols) })}
        known={[]}
        placeholder="例如：2330"
        hint={`最多 ${SYMBOLS_MOST} 檔；留空是每一檔`}
        error={errors['symbols'] ?? null}
      />
      <TagsField
        label="除了這些代號"
        noun="除外的代號"
        name="exclude_symbols"
        value={chosen.exclude_symbols}
        onChange={(symbols) => change({ exclude_symbols: codes(symbols) })}
        known={[]}
        error={errors['exclude_symbols'] ?? null}
      />
      <SelectField
        label="種類"
        value={chosen.security_type}
        onChange={(security_type) => change({ security_type })}
        options={SECURITY_TYPES.map((value) => ({ value, label: TYPES[value] }))}
      />
      <fieldset className={css.actions}>
        <legend>動作</legend>
        {RULE_ACTIONS.map((action) => (
          <Checkbox
            key={action}
            label={ACTION_WORDS[action]}
            checked={chosen.actions.includes(action)}
            onChange={(on) =>
              change({
                actions: RULE_ACTIONS.filter((one) => (one === action ? on : chosen.actions.includes(one))),
              })
            }
          />
        ))}
      </fieldset>
      <Two>
        <NumberField label="最低價" unit="元" {...field('min_price')} />
        <NumberField label="最高價" unit="元" {...field('max_price')} />
      </Two>
      <Two>
        <NumberField label="最少成交量" unit="張" integer {...field('min_volume')} />
        <NumberField label="最少金額" unit="元" integer {...field('min_amount')} />
      </Two>
      <Two>
        <TextField label="從幾點" type="time" {...field('time_from')} />
        <TextField label="到幾點" type="time" {...field('time_to')} />
      </Two>
      <TextField label="備註裡有" maxLength={40} placeholder="例如：突破" {...field('note_keyword')} />
    </fieldset>
  )
}
