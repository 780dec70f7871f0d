/* The mapping of one message: its fields with the words that speak for them, own words, and what every leaf became. */

import { useId } from 'react'
import type { Preview } from '#contract/mapping.ts'
import { FORMATS, MAPPING_FIELDS } from '#trading/reader/shape.ts'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { Fold } from '#ui/Fold.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Switch } from '#ui/Switch.tsx'
import { TextField } from '#ui/TextField.tsx'
import { FORMAT_WORDS } from '../words.ts'
import css from './EditStep.module.css'
import { FieldRow } from './FieldRow.tsx'
import type { Learned, MappingForm } from './form.ts'
import { LeafList } from './LeafList.tsx'
import { WordRows } from './WordRows.tsx'
import { ACTION_OPTIONS, UNIT_OPTIONS } from './words.ts'

/** `faults` messages by field of a refused call. */
export type EditStepProps = {
  learned: Learned
  form: MappingForm
  onChange: (form: MappingForm) => void
  preview: Preview | undefined
  faults: Record<string, string> | null
}

export function EditStep({ learned, form, onChange, preview, faults }: EditStepProps) {
  const list = useId()
  const set = (change: Partial<MappingForm>) => onChange({ ...form, ...change })
  const became = new Map(preview?.reading.map(({ path, as }) => [path, as]))
  const leaves = learned.leaves.map((leaf) => {
    const named = MAPPING_FIELDS.find((field) => form.rows[field].text.trim() === leaf.path)
    const as = became.get(leaf.path) ?? named ?? null
    const loose = as === null || as === 'unknown' || as === 'kept'
    return { ...leaf, as, ignorable: loose && !named }
  })
  // what only the person can decide stands first
  const asks = learned.words.length + learned.units.length > 0
  const words = (
    <>
      <WordRows
        title="動作的字"
        words={form.words}
        options={ACTION_OPTIONS}
        example="例如 看多"
        most={60}
        onChange={(words) => set({ words })}
      />
      <WordRows
        title="單位的字"
        words={form.units}
        options={UNIT_OPTIONS}
        example="例如 手"
        blank="（沒寫單位）"
        most={20}
        onChange={(units) => set({ units })}
      />
    </>
  )
  return (
    <div className={css.root}>
      <CodeBlock low label="這則訊息" code={learned.body} wrap />
      {asks && words}
      <section className={css.map} aria-label="欄位">
        {MAPPING_FIELDS.map((field) => (
          <FieldRow
            key={field}
            field={field}
            row={form.rows[field]}
            onChange={(row) => set({ rows: { ...form.rows, [field]: row } })}
            learned={learned}
            list={list}
            error={faults?.[`mapping.fields.${field}`]}
          />
        ))}
        <datalist id={list}>
          {learned.leaves.map(({ path, value }) => (
            <option key={path} value={path}>
              {value}
            </option>
          ))}
        </datalist>
      </section>
      {!asks && words}
      {leaves.length > 0 && (
        <section aria-label="每個欄位變成什麼">
          <h3 className="t13 w6 ink2">每個欄位變成什麼</h3>
          <LeafList leaves={leaves} ignore={form.ignore} onChange={(ignore) => set({ ignore })} />
        </section>
      )}
      <div>
        <Switch
          label="只收這種格式"
          note="關閉時，訊息裡沒有對應的欄位就照常自動判斷；打開時就不收。"
          checked={form.strict}
          onChange={(strict) => set({ strict })}
        />
        <Switch
          label="編號不會重複"
          note="同一個編號再來一次就當作重複，不論時間。"
          checked={form.id_is_unique}
          onChange={(id_is_unique) => set({ id_is_unique })}
        />
      </div>
      <Fold title="更多">
        <div className="col gap16">
          <SelectField
            label="訊息格式"
            value={form.format}
            onChange={(format) => set({ format })}
            options={FORMATS.map((value) => ({ value, label: FORMAT_WORDS[value] }))}
          />
          <TextField
            label="來源的序號欄位"
            hint="來源替每則訊息編的流水號，一則加一；跳號會提醒你少了哪幾則，不影響訊號。時間或價格不是流水號。"
            value={form.sequence}
            onChange={(sequence) => set({ sequence })}
            maxLength={100}
            mono
          />
        </div>
      </Fold>
    </div>
  )
}
