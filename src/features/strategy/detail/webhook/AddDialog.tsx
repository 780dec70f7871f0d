/* A further webhook for a strategy (at most five). */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { webhookMutations } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence, refusedFields } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { TextField } from '#ui/TextField.tsx'

/** `onAdded` gets the new webhook's id. */
export type AddDialogProps = { strategy_id: string; onClose: () => void; onAdded: (id: string) => void }

export function AddDialog({ strategy_id, onClose, onAdded }: AddDialogProps) {
  const ctx = useCtx()
  const [name, setName] = useState('')
  const add = useMutation({
    ...webhookMutations.create(ctx),
    onSuccess: (webhook) => {
      toast({ title: `已新增「${webhook.name}」`, icon: 'check' })
      onAdded(webhook.id)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() && !add.isPending) add.mutate({ strategy_id, name })
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
      </form>
      <Refused text={!fields && add.error && failureSentence(add.error, '沒有新增，')} />
    </Dialog>
  )
}
