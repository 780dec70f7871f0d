/* Refusing a request, with a reason that the person reads. */
import { useState } from 'react'
import type { JoinRequest } from '#contract/join.ts'
import { joinMutations } from '#data/nouns/invitation.ts'
import { Ask } from '#screen/Ask.tsx'
import { TextField } from '#ui/TextField.tsx'
import { usePeople } from '../../parts/people.ts'
import { useOrganization } from '../use-place.ts'

export function RejectSheet({ request, onClose }: { request: JoinRequest; onClose: () => void }) {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const [reason, setReason] = useState('')
  const name = cover(request.user.name)
  return (
    <Ask
      title={`拒絕 ${name} 的申請？`}
      verb="拒絕申請"
      icon="close"
      sticky={reason !== ''}
      mutation={joinMutations.review(ctx)}
      input={{ id, request_id: request.id, decision: 'reject', ...(reason.trim() && { reason }) }}
      done={{ title: '已拒絕申請', description: name }}
      safe="申請還在，"
      onClose={onClose}
    >
      <p>對方會收到通知，看得到你寫的原因，也可以再申請一次。</p>
      <TextField
        label="原因（可以不寫）"
        rows={2}
        maxLength={200}
        counter
        value={reason}
        onChange={setReason}
        placeholder="例如：請先完成報名"
      />
    </Ask>
  )
}
