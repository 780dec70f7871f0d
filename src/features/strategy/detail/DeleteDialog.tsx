/* Deleting a strategy: its name has to be typed, and keeping the records is the default. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { strategyMutations } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { TextField } from '#ui/TextField.tsx'

/** `onArchive` offers the gentler way; null when it is archived already. */
export type DeleteDialogProps = {
  strategy: Strategy
  open: boolean
  onClose: () => void
  onArchive: (() => void) | null
}

export function DeleteDialog({ strategy, open, onClose, onArchive }: DeleteDialogProps) {
  const ctx = useCtx()
  const go = useGo()
  const [typed, setTyped] = useState('')
  const [keep, setKeep] = useState(true)
  const remove = useMutation({
    ...strategyMutations.remove(ctx),
    onSuccess: () => {
      toast({ title: `已刪除「${strategy.name}」`, icon: 'check' })
      go.open('/strategies', true)
    },
  })
  const fits = typed.trim() === strategy.name
  return (
    <Dialog
      open={open}
      onClose={onClose}
      sticky={typed !== ''}
      title={`刪除「${strategy.name}」`}
      icon="trash"
      danger
      aside={
        onArchive && (
          <Button kind="ghost" onClick={onArchive}>
            改用封存
          </Button>
        )
      }
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            kind="danger"
            icon="trash"
            disabled={!fits}
            busy={remove.isPending}
            onClick={() => remove.mutate({ id: strategy.id, name: typed, keep_records: keep })}
          >
            刪除策略
          </Button>
        </>
      }
    >
      <p>
        Webhook 與設定會刪除，無法復原。
        {keep
          ? `${number(strategy.signal_count)} 筆訊號的紀錄會保留在伺服器上。`
          : `${number(strategy.signal_count)} 筆訊號也會一起刪除。`}
      </p>
      <Checkbox label="保留訊號紀錄" checked={keep} onChange={setKeep} />
      <TextField
        label="輸入策略名稱以確認"
        value={typed}
        onChange={setTyped}
        placeholder={strategy.name}
        autoComplete="off"
      />
      <Refused text={remove.error && failureSentence(remove.error, '策略還在，')} />
    </Dialog>
  )
}
