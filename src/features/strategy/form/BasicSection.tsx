/* 基本資料: what it is called, how it trades, and, when editing, whether it runs. */

import { DIRECTION_TEXT, STYLE_TEXT, TIMEFRAME_TEXT } from '#text/strategy.ts'
import { SegmentsField } from '#ui/SegmentsField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { KIND_FORMS } from './kinds.ts'
import { Section } from './Section.tsx'
import { TagsField } from './TagsField.tsx'
import { Two } from './Two.tsx'
import type { FormApi } from './use-strategy-form.ts'

const options = <T extends string>(words: Record<T, string>) =>
  (Object.keys(words) as T[]).map((value) => ({ value, label: words[value] }))
const STATES = [
  { value: 'active', label: '啟用' },
  { value: 'paused', label: '暫停' },
  { value: 'archived', label: '封存' },
] as const
const STATE_HINTS = {
  active: '訊號會記錄，並通知開了鈴鐺的人',
  paused: '訊號仍會記錄並標示，不通知任何人',
  archived: 'Webhook 不再收訊號，列表預設不顯示',
}
// integer-like keys come first in any object, so the bars stand from short to long by themselves
const FRAMES = [{ value: '', label: '不指定' } as const, ...options(TIMEFRAME_TEXT)]
const STYLES = [{ value: '', label: '不指定' } as const, ...options(STYLE_TEXT)]

export function BasicSection({ form, editing }: { form: FormApi; editing: boolean }) {
  const { values, field } = form
  return (
    <Section title="基本資料" about="名稱會出現在每一筆訊號上，取一個一眼認得的。">
      <TextField
        {...field('name')}
        label="策略名稱"
        placeholder={`例如：${KIND_FORMS[form.kind].example}`}
        maxLength={60}
        counter
        autoComplete="off"
      />
      {editing && (
        <SegmentsField {...field('status')} label="狀態" options={STATES} hint={STATE_HINTS[values.status]} />
      )}
      <TextField
        {...field('summary')}
        label="一句話說明"
        placeholder="選填"
        maxLength={200}
        counter
        autoComplete="off"
      />
      <SegmentsField {...field('direction')} label="操作方向" options={options(DIRECTION_TEXT)} />
      <Two>
        <SelectField {...field('trade_style')} label="交易類型" options={STYLES} />
        <SelectField {...field('timeframe')} label="週期" options={FRAMES} />
      </Two>
      <TagsField {...field('tags')} />
    </Section>
  )
}
