/* A further webhook for a strategy (at most five): a name and how its messages are written. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Webhook } from '#contract/webhook.ts'
import { webhookMutations } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence, refusedFields } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { FORMATS } from '#trading/reader/shape.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { FORMAT_WORDS } from './words.ts'

/** `onAdded` gets the new webhook's id. */
export type AddDialogProps = { strategy_id: string; onClose: () => void; onAdded: (id: string) => void }

export function AddDialog({ strategy_id, onClose, onAdded }: AddDialogProps) {
  const ctx = useCtx()
  const [name, setName] = useState('')
  const [format, setFormat] = useState<Webhook['format']>('auto')
  const add = useMutation({
    ...webhookMutations.create(ctx),
    onSuccess: (webhook) => {
      toast({ title: `已新增「${webhook.name}」`, icon: 'check' })
      onAdded(webhook.id)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() && !add.isPending) add.mutate({ strategy_id, name, format })
  }
  const fields = refusedFields(add.error)
  return (
    <Dialog
      open
      onClose={onClose}
      sticky={name !== ''}
      title="新增 Webhook"
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form="add-webhook" disabled={!name.trim()} busy={add.isPending}>
            新增
          </Button>
        </>
      }
    >
      <p>每個來源各用一個網址，收到什麼、擋下什麼就分得清楚。</p>
      <form id="add-webhook" className="col gap16" onSubmit={submit}>
        <TextField
          label="名稱"
          value={name}
          onChange={setName}
          maxLength={60}
          placeholder="例如：備援快訊"
          error={fields?.['name']}
        />
        <SelectField
          label="訊息格式"
          value={format}
          onChange={setFormat}
          options={FORMATS.map((value) => ({ value, label: FORMAT_WORDS[value] }))}
        />
      </form>
      <Refused text={!fields && add.error && failureSentence(add.error, '沒有新增，')} />
    </Dialog>
  )
}
