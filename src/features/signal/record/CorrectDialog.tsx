/* 補價 / 更正價格: the price that was missing or wrong, given by a further record; the figures follow at once. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { signalMutations } from '#data/nouns/signal.ts'
import { useCtx, useData, useTables } from '#screen/data.tsx'
import { failureSentence, refusedFields } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { mdHms, number } from '#text/format.ts'
import { priceText, productText, wordsOf } from '#text/row.ts'
import { ASSET_FACTS } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { Chips } from '#ui/Segments.tsx'
import { TextField } from '#ui/TextField.tsx'
import css from './Blocks.module.css'
import { priceNow, readPrice, tickOf } from './price.ts'

export type CorrectDialogProps = { record: SignalRecord; onClose: () => void }

export function CorrectDialog({ record, onClose }: CorrectDialogProps) {
  const data = useData()
  const ctx = useCtx()
  const now = priceNow(record, data.signals.ofStrategy(record.strategy_id))
  const [typed, setTyped] = useState(now === null ? '' : String(now))
  const [note, setNote] = useState('')
  const [asked, setAsked] = useState(false)
  const read = readPrice(typed, now)
  const save = useMutation({
    ...signalMutations.correct(ctx),
    onSuccess: ({ chain_seq }) => {
      toast({ title: `價格已記為第 ${number(chain_seq)} 筆，損益已重算`, icon: 'check' })
      onClose()
    },
  })
  const verb = now === null ? '補價' : '更正價格'
  const fields = save.error instanceof ApiError ? save.error.details.fields : undefined
  const price_error = fields?.['price'] ?? (asked && 'error' in read ? read.error : null)
  const tick = tickOf(record, useTables())
  return (
    <Dialog
      open
      onClose={onClose}
      sticky={asked || note !== ''}
      title={`${verb}：第 ${number(record.chain_seq)} 筆`}
      icon="edit"
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            kind="filled"
            icon="check"
            busy={save.isPending}
            onClick={() => {
              setAsked(true)
              if ('price' in read) save.mutate({ id: record.id, price: read.price, ...(note && { note }) })
            }}
          >
            {verb}
          </Button>
        </>
      }
    >
      <p>
        {wordsOf(record).word} {productText(record)}，{mdHms(record.occurred_at)}
        {record.price === null ? '，訊號沒有帶價格' : `，訊號價 ${priceText(record, record.price)}`}
        。原紀錄不更改，會另記一筆「更正」，損益隨即重算。
      </p>
      <NumberField
        label="訊號價"
        value={typed}
        onChange={setTyped}
        unit={ASSET_FACTS[record.asset].priced}
        required
        error={price_error}
        {...(now !== null && { step: tick, min: tick })}
      />
      <TextField
        label="備註（選填）"
        value={note}
        onChange={setNote}
        maxLength={200}
        autoComplete="off"
        error={fields?.['note'] ?? null}
      />
      <Refused text={!fields && save.error && failureSentence(save.error, '紀錄沒有變，')} />
    </Dialog>
  )
}

/* 作廢: says what happens (a further record, nothing erased), asks why, then does it. */

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
      <div className={css.VoidDialogReasons}>
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
