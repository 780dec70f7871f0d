/* A mapping made from one message: proposed, tried on it while typing, weighed on what came before, saved. */

import { useState } from 'react'
import type { Webhook } from '#contract/webhook.ts'
import type { GivenMessage } from '#data/nouns/webhook.ts'
import { failureSentence } from '#screen/failure.ts'
import { useLeaveSheet } from '#screen/leave-sheet.tsx'
import { Refused } from '#screen/Refused.tsx'
import { FailState } from '#ui/FailState.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { EditStep } from './EditStep.tsx'
import { Foot } from './Foot.tsx'
import { ImpactStep } from './ImpactStep.tsx'
import { PasteStep } from './PasteStep.tsx'
import { useMapping } from './use-mapping.ts'

/** `message` null asks for one to be pasted. `onReplay` gets the deliveries that the saved mapping reads otherwise. */
export type MappingSheetProps = {
  webhook: Webhook
  message: GivenMessage | null
  onClose: () => void
  onReplay?: ((delivery_ids: string[]) => void) | undefined
}

const TITLES = { message: '貼一則訊息', edit: '建立對應', impact: '儲存前的影響', saved: '對應已儲存' }

export function MappingSheet({ webhook, message, onClose, onReplay }: MappingSheetProps) {
  const draft = useMapping(webhook, message)
  const [text, setText] = useState('')
  const { step, learn, impact, save } = draft
  const holds = draft.dirty || (text !== '' && step !== 'saved')
  const { leave, question } = useLeaveSheet(holds, onClose)
  const changed = impact.data?.rows.filter(({ change }) => change !== 'becomes_unreadable') ?? []
  const ids = changed.map(({ delivery_id }) => delivery_id)
  return (
    <Sheet
      open
      onClose={leave}
      sticky={holds}
      tall
      title={step === 'message' && message ? TITLES.edit : TITLES[step]}
      subtitle={webhook.name}
      foot={
        <Foot
          draft={draft}
          text={message ? null : text}
          onClose={onClose}
          onReplay={onReplay && ids.length > 0 ? () => onReplay(ids) : undefined}
        />
      }
    >
      {step === 'message' && !message && <PasteStep text={text} onChange={setText} />}
      {step === 'message' && learn.error && (
        <FailState title="讀不出建議" onRetry={() => void learn.refetch()} busy={learn.isFetching}>
          {failureSentence(learn.error, '訊息還在，')}
        </FailState>
      )}
      {step === 'message' && message && !learn.error && <Skeleton label="建議準備中" />}
      {step === 'edit' && learn.data && (
        <EditStep
          learned={learn.data}
          form={draft.form}
          onChange={draft.edit}
          preview={draft.preview.data}
          faults={draft.faults}
        />
      )}
      {step === 'impact' && impact.data && <ImpactStep impact={impact.data} />}
      {step === 'impact' && <Refused text={save.error && failureSentence(save.error, '填的內容還在，')} />}
      {step === 'saved' && (
        <p>
          下一則就照新的對應讀。
          {ids.length > 0 && `先前收到的 ${ids.length} 則用新的對應會讀得不同，可以重新解析。`}
        </p>
      )}
      {question}
    </Sheet>
  )
}
