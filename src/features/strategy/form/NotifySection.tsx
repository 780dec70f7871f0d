/* 通知: how I am told of its signals. Everybody who follows it has a bell of their own. */
import { RINGINGS } from '#contract/channels.ts'
import { RINGING_NOTES, RINGING_WORDS } from '#text/notification.ts'
import { Choices } from '#ui/Checkbox.tsx'
import { Section } from './Fields.tsx'
import type { FormApi } from './use-strategy-form.ts'

const CHOICES = RINGINGS.map((value) => ({ value, label: RINGING_WORDS[value], note: RINGING_NOTES[value] }))
const OWN = { value: 'own' as const, label: RINGING_WORDS.own, note: '在策略的鈴鐺裡自己選的，維持不變' }

/** `own` it was refined on its bell, in a way that no choice says: offered for as long as nothing else was stored. */
export function NotifySection({ form, own }: { form: FormApi; own: boolean }) {
  return (
    <Section title="通知" about="只關於你自己；看得到這個策略的人各自設定。">
      <Choices
        legend="有訊號時"
        value={form.values.notify}
        onChange={(notify) => form.change({ notify })}
        options={own ? [...CHOICES, OWN] : CHOICES}
      />
    </Section>
  )
}
