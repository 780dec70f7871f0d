/* XQ 腳本: which script it is and what its firing means. */

import { firesOnce, type ScriptType } from '#contract/kinds/xq-stock.ts'
import { SegmentsField } from '#ui/SegmentsField.tsx'
import { FIELDS } from './kinds.ts'
import { Section } from './Section.tsx'
import { SettingField } from './SettingField.tsx'
import type { FormApi } from './use-strategy-form.ts'

const MEANS = {
  entry: '訊息沒寫買賣時當成進場；寫了就照寫的。',
  exit: '訊息沒寫買賣時當成出場；寫了就照寫的。',
  by_content: '訊息一定要寫買賣，沒寫的不收。',
}

const BRINGS = {
  webhook: '橋接程式把新的一行送到 Webhook；過去的檔案也能到「原始資料」匯入。',
  csv: '到策略的「原始資料」匯入 XQ 匯出的檔案；沒有 Webhook 也不提醒。',
  both: '新的訊號由橋接程式送來，過去的到「原始資料」匯入。',
}

export function XqSection({ form }: { form: FormApi }) {
  const { values, field, change } = form
  // what the kind of script decides follows it, unless the person had set it otherwise
  const choose = (type: ScriptType) => {
    const before = values['settings.script_type']
    const usual = values['settings.dedupe_per_day'] === firesOnce(before)
    change({
      'settings.script_type': type,
      ...(usual ? { 'settings.dedupe_per_day': firesOnce(type) } : {}),
    })
  }
  return (
    <Section title="XQ 腳本" about="XQ 的腳本把訊號寫進檔案，橋接程式再送到 Webhook。">
      <SettingField form={form} name="xq_script_name" />
      <SegmentsField
        {...field('settings.script_type')}
        onChange={choose}
        label={FIELDS.script_type.label}
        options={FIELDS.script_type.options}
      />
      <SettingField form={form} name="data_source" hint={BRINGS[values['settings.data_source']]} />
      {values['settings.data_source'] !== 'webhook' && <SettingField form={form} name="file_encoding" />}
      <SettingField form={form} name="default_action" hint={MEANS[values['settings.default_action']]} />
      <SettingField form={form} name="dedupe_per_day" />
    </Section>
  )
}
