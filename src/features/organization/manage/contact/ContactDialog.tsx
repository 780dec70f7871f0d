/* One entry: what it is called, what it is, where it leads. */
import { useId } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { CONTACT_TYPES, type ContactNode, type ContactType, contact_entry } from '#contract/organization.ts'
import { refusal } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { CONTACT_WORDS } from '#text/contact.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { Fields } from '../Fields.tsx'

/** `node` absent: a new one, under the entry called `under` when it is not null. `onSend` stores it, or throws what is shown. */
export type ContactDialogProps = {
  node?: ContactNode
  under?: string | null
  /** Others may stand under it. */
  heads: boolean
  onSend: (entry: Omit<ContactNode, 'children'>) => Promise<unknown>
  onClose: () => void
}

type Name = 'label' | 'type' | 'value'
const OPTIONS = CONTACT_TYPES.map((value) => ({ value, label: CONTACT_WORDS[value].name }))
const KEYBOARD: Partial<Record<ContactType, 'email' | 'tel' | 'url'>> = {
  email: 'email',
  phone: 'tel',
  url: 'url',
}
const entryOf = ({ label, type, value }: Record<Name, string>) => ({
  label: label.trim(),
  type: type as ContactType,
  value: value.trim() || null,
})

export function ContactDialog({ node, under = null, heads, onSend, onClose }: ContactDialogProps) {
  const id = useId()
  const initial = { label: node?.label ?? '', type: node?.type ?? 'line', value: node?.value ?? '' }
  const { values, failure, busy, field, form, change } = useForm<Name>({
    initial,
    check: (typed) => fieldMessages(contact_entry, entryOf(typed)),
    send: async (typed) => {
      await onSend(entryOf(typed))
      toast({ title: node ? '聯絡方式已更新' : `已新增「${typed.label.trim()}」`, icon: 'check' })
      onClose()
    },
    refused: (error) => refusal(error, '內容都還在，', ['label', 'value']),
  })
  const type = values.type as ContactType
  return (
    <Dialog
      open
      onClose={onClose}
      sticky={(['label', 'type', 'value'] as const).some((name) => values[name] !== initial[name])}
      title={node ? '修改聯絡方式' : under ? `在「${under}」下面新增` : '新增聯絡方式'}
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form={id} busy={busy}>
            {node ? '儲存' : '新增'}
          </Button>
        </>
      }
    >
      <form id={id} {...form}>
        <Fields>
          <TextField label="名稱" maxLength={40} placeholder="例如：客服" {...field('label')} />
          <SelectField
            label="種類"
            value={type}
            options={OPTIONS}
            onChange={(next) => change({ type: next, value: values.value })}
          />
          <TextField
            label="內容（選填）"
            maxLength={300}
            placeholder={`例如：${CONTACT_WORDS[type].example}`}
            inputMode={KEYBOARD[type] ?? 'text'}
            {...(heads && { hint: '留空就只是標題，下面再新增幾個。' })}
            {...field('value')}
          />
          <Refused text={failure} />
        </Fields>
      </form>
    </Dialog>
  )
}
