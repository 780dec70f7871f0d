/* 作廢: says what happens (a further record, nothing erased), asks why, then does it. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { SignalRecord } from '#contract/signal.ts'
import { signalMutations } from '#data/nouns/signal.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence, refusedFields } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { number } from '#text/format.ts'
import { productText, wordsOf } from '#text/row.ts'
import { Button } from '#ui/Button.tsx'
import { Chips } from '#ui/Chips.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { TextField } from '#ui/TextField.tsx'
import css from './VoidDialog.module.css'

const REASON_MAX = 200
/** One tap for what happens most. */
const REASONS = ['重複送出', '腳本誤觸發', '測試訊號']

export type VoidDialogProps = { record: SignalRecord; onClose: () => void }

export function VoidDialog({ record, onClose }: VoidDialogProps) {
  const ctx = useCtx()
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const save = useMutation({
    ...signalMutations.void(ctx),
    onSuccess: ({ chain_seq }) => {
      toast({ title: `已作廢，記為第 ${number(chain_seq)} 筆`, icon: 'check' })
      onClose()
    },
  })
  const empty = reason.trim() === ''
  const fault = refusedFields(save.error)?.['reason']
  const error = asked && empty ? '請寫下作廢的原因' : fault
  return (
    <Dialog
      open
      onClose={onClose}
      sticky={!empty}
      title={`作廢第 ${number(record.chain_seq)} 筆`}
      icon="void"
      danger
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            kind="danger"
            icon="void"
            busy={save.isPending}
            onClick={() => {
              setAsked(true)
              if (!empty) save.mutate({ id: record.id, reason })
            }}
          >
            作廢這筆訊號
          </Button>
        </>
      }
    >
      <p>
        {wordsOf(record).word} {productText(record)}
        ：原紀錄不會刪除也不會更改，會在紀錄最後另記一筆「作廢」，部位與損益隨即重算。作廢不能取消。
      </p>
      <TextField
        label="原因"
        value={reason}
        onChange={setReason}
        maxLength={REASON_MAX}
        counter
        required
        autoComplete="off"
        hint="任何看得到這個策略的人都會看到"
        error={error}
      />
      <div className={css.reasons}>
        <Chips
          label="常用的原因"
          chips={REASONS.map((value) => ({ value, label: value, on: reason === value }))}
          onPick={setReason}
        />
      </div>
      <Refused text={!fault && save.error && failureSentence(save.error, '紀錄沒有變，')} />
    </Dialog>
  )
}
