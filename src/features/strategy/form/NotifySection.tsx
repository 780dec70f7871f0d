/* 通知: whether I am told of its signals. Everybody who follows it has a bell of their own. */
import { Switch } from '#ui/Switch.tsx'
import { Section } from './Fields.tsx'
import type { FormApi } from './use-strategy-form.ts'

export function NotifySection({ form: { values, change } }: { form: FormApi }) {
  return (
    <Section title="通知" about="只關於你自己；看得到這個策略的人各自設定。">
      <Switch
        label="訊號通知"
        note="要安靜收下、只要進出場，在策略的鈴鐺裡選"
        checked={values.notify}
        onChange={(notify) => change({ notify })}
      />
    </Section>
  )
}
