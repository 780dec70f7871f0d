/* Deleting a webhook, after a question. */

import { useMutation } from '@tanstack/react-query'
import { deleteWebhook, type Webhook } from '#contract/webhook.ts'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx, useData } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'

export function RemoveDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const data = useData()
  const ctx = useCtx()
  const { id, name, strategy_id } = webhook
  const remove = useMutation({
    mutationFn: () => data.client.call(deleteWebhook, { id }, { ctx }),
    onSuccess: () => {
      onClose()
      toast({ title: `已刪除「${name}」`, icon: 'check' })
      data.query.setQueryData(webhookQueries.ofStrategy(ctx, strategy_id).queryKey, (old) =>
        old?.filter((one) => one.id !== id),
      )
      void data.query.invalidateQueries({ queryKey: strategyQueries.one(ctx, strategy_id).queryKey })
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
