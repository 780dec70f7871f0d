/* 不對: what each part of the message is, said by the person; then the words of the sender that nobody knows. */

import { useEffect, useRef } from 'react'
import type { Preview } from '#contract/webhook-format.ts'
import { counts, roleText } from '#text/webhook.ts'
import { UNIT_FACTS } from '#trading/kinds.ts'
import { MAPPING_FIELDS, type ReadAs } from '#trading/reader/shape.ts'
import { ACTIONS, type Action, type Asset, UNITS } from '#trading/record.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import { Fold } from '#ui/Card.tsx'
import { Hint } from '#ui/Field.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Switch } from '#ui/Switch.tsx'
import { TextField } from '#ui/TextField.tsx'
import formatSheetCss from './FormatSheet.module.css'
import { type FormatForm, type Learned, type Said, said } from './use-format.ts'

export const ACTION_OPTIONS = ACTIONS.map((value) => ({ value, label: ACTION_WORDS[value] }))
const UNIT_OPTIONS = UNITS.map((value) => ({ value, label: UNIT_FACTS[value].word }))
const ROLE_OPTIONS = [...MAPPING_FIELDS, 'sequence', 'ignored'] as const
const NOTHING = { value: '' as const, label: '訊息裡有寫' }

/** `preview` what the reader makes of the message meanwhile. */
export type FormatEditorProps = {
  learned: Learned
  asset: Asset
  form: FormatForm
  /** The message is a signal with what was said. */
  sure: boolean
  onChange: (form: FormatForm) => void
  preview: Preview | undefined
  /** A part that was pressed in the message. */
  picked: { path: string } | null
}

export function FormatEditor({ learned, asset, form, sure, onChange, preview, picked }: FormatEditorProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (!picked) return
    const line = [...(list.current?.children ?? [])].find(
      (one) => one.getAttribute('data-part') === picked.path,
    )
    line?.scrollIntoView({ block: 'center' })
    line?.querySelector('select')?.focus({ preventScroll: true })
  }, [picked])
  const read = new Map((preview ?? learned.preview).reading.map(({ path, as }) => [path, as]))
  const parts = (
    <>
      <ul ref={list} className={formatSheetCss.parts}>
        {learned.leaves.map(({ path, value }) => (
          <li key={path} data-part={path}>
            <span className={formatSheetCss.part}>
              <code className="mono ink3">{partName(path)}</code>
              <b className="mono">{value === '' ? '（空的）' : value}</b>
            </span>
            <SelectField<Said>
              label={`${partName(path)} 是什麼`}
              hideLabel
              value={form.parts[path] ?? ''}
              onChange={(what) => onChange(said(form, path, what))}
              options={[
                { value: '', label: automatic(read.get(path), asset, sure) },
                ...ROLE_OPTIONS.map((value) => ({ value, label: roleText(value, asset) })),
              ]}
            />
          </li>
        ))}
      </ul>
      {Object.values(form.parts).includes('sequence') && (
        <Hint>
          序號是來源替每則訊息編的流水號，一則加一；跳號會提醒你少了哪幾則，不影響訊號。時間或價格不是流水號。
        </Hint>
      )}
      {Object.values(form.parts).includes('id') && (
        <Switch
          label="編號不會重複"
          note="同一個編號再來一次就當作重複，不論時間。"
          checked={form.id_is_unique}
          onChange={(id_is_unique) => onChange({ ...form, id_is_unique })}
        />
      )}
      <Fold title="訊息裡沒有寫的">
        <div className="col gap16">
          <SelectField<Action | ''>
            label="這樣的訊息一律是"
            value={(form.always.action ?? '') as Action | ''}
            onChange={(action) => onChange({ ...form, always: { ...form.always, action } })}
            options={[NOTHING, ...ACTION_OPTIONS]}
          />
          <TextField
            label="商品一律是"
            value={form.always.symbol ?? ''}
            onChange={(symbol) => onChange({ ...form, always: { ...form.always, symbol } })}
            maxLength={20}
            placeholder="訊息裡有寫"
          />
        </div>
      </Fold>
    </>
  )
  return (
    <div className="col gap16">
      {parts}
      {Object.entries(form.words).map(([word, means]) => (
        <SelectField
          key={word}
          label={`「${word}」的意思`}
          value={means}
          placeholder="請選意思"
          onChange={(action) => onChange({ ...form, words: { ...form.words, [word]: action } })}
          options={ACTION_OPTIONS}
        />
      ))}
      {Object.entries(form.units).map(([word, means]) => (
        <SelectField
          key={word}
          label={word === '' ? '「沒寫單位的數字」的意思' : `「${word}」的意思`}
          value={means}
          placeholder="請選單位"
          onChange={(unit) => onChange({ ...form, units: { ...form.units, [word]: unit } })}
          options={UNIT_OPTIONS}
        />
      ))}
    </div>
  )
}

/** What a part is without a word of the person; `sure` the message is read so. */
function automatic(as: ReadAs | undefined, asset: Asset, sure: boolean): string {
  if (as === undefined) return '自動'
  return !counts(as) && !sure ? '選它是什麼' : `自動：${roleText(as, asset)}`
}

/** A line's parts have no names. */
const partName = (path: string) => path.replace(/^#(?=\d)/, '第 ').replace(/^(第 \d+)$/, '$1 段')
