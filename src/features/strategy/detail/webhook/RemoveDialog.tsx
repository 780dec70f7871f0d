/* Deleting a webhook, after a question. */
import type { Webhook } from '#contract/webhook.ts'
import { webhookMutations } from '#data/nouns/webhook.ts'
import { Ask } from '#screen/Ask.tsx'
import { useCtx } from '#screen/data.tsx'

export function RemoveDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { name } = webhook
  return (
    <Ask
      title={`刪除「${name}」`}
      verb="刪除 Webhook"
      mutation={webhookMutations.remove(useCtx(), webhook)}
      input={undefined}
      done={{ title: `已刪除「${name}」` }}
      safe="Webhook 還在，"
      onClose={onClose}
    >
      <p>網址立即失效，之後送來的訊息都會被拒收。已經收下的訊號不受影響。只想停一陣子，可以改用停用。</p>
    </Ask>
  )
}
