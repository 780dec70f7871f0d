/* Deleting a webhook, after a question. */

import { useMutation } from '@tanstack/react-query'
import type { Webhook } from '#contract/webhook.ts'
import { webhookMutations } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'

export function RemoveDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const ctx = useCtx()
  const { name } = webhook
  const remove = useMutation({
    ...webhookMutations.remove(ctx, webhook),
    onSuccess: () => {
      onClose()
      toast({ title: `已刪除「${name}」`, icon: 'check' })
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`刪除「${name}」`}
      icon="trash"
      danger
      actions={
        <>
          <Button firstFocus onClick={onClose}>
            取消
          </Button>
          <Button kind="danger" icon="trash" busy={remove.isPending} onClick={() => remove.mutate()}>
            刪除 Webhook
          </Button>
        </>
      }
    >
      <p>網址立即失效，之後送來的訊息都會被拒收。已經收下的訊號不受影響。只想停一陣子，可以改用停用。</p>
      <Refused text={remove.error && failureSentence(remove.error, 'Webhook 還在，')} />
    </Dialog>
  )
}
