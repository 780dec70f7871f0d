/* What 更多 asks before it is done: to archive, to copy, to delete. */

import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { strategyMutations } from '#data/nouns/strategy.ts'
import { Ask } from '#screen/Ask.tsx'
import { useCtx } from '#screen/data.tsx'
import { useGo } from '#screen/go.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { TextField } from '#ui/TextField.tsx'
import { DuplicateDialog } from '../DuplicateDialog.tsx'
import { turned } from '../use-menu.ts'

export type AskedProps = {
  asking: 'archive' | 'copy' | 'delete'
  strategy: Strategy
  /** null: nothing any more. */
  onAsk: (what: AskedProps['asking'] | null) => void
}

export function Asked({ asking, strategy, onAsk }: AskedProps) {
  const ctx = useCtx()
  const { id, name, status } = strategy
  const onClose = () => onAsk(null)
  if (asking === 'copy') return <DuplicateDialog strategy={strategy} onClose={onClose} />
  if (asking === 'delete')
    return (
      <DeleteDialog
        strategy={strategy}
        onClose={onClose}
        onArchive={status === 'archived' ? null : () => onAsk('archive')}
      />
    )
  return (
    <Ask
      title={`封存「${name}」`}
      verb="封存"
      icon="archive"
      mild
      mutation={strategyMutations.turn(ctx)}
      input={{ id, name, status: 'archived' }}
      done={(changed) => ({ title: turned(changed) })}
      safe="策略維持原樣，"
      onClose={onClose}
    >
      <p>Webhook 會回覆停用，策略不再列出。紀錄全部保留，隨時可以取消封存。</p>
    </Ask>
  )
}

/* Deleting a strategy: its name has to be typed, and keeping the records is the default. */

/** `onArchive` offers the gentler way; null when it is archived already. */
export type DeleteDialogProps = {
  strategy: Strategy
  onClose: () => void
  onArchive: (() => void) | null
}

export function DeleteDialog({ strategy, onClose, onArchive }: DeleteDialogProps) {
  const go = useGo()
  const [typed, setTyped] = useState('')
  const [keep, setKeep] = useState(true)
  const { id, name } = strategy
  const count = number(strategy.signal_count)
  return (
    <Ask
      title={`刪除「${name}」`}
      verb="刪除策略"
      mutation={strategyMutations.remove(useCtx())}
      input={{ id, name: typed, keep_records: keep }}
      done={{ title: `已刪除「${name}」` }}
      safe="策略還在，"
      disabled={typed.trim() !== name}
      sticky={typed !== ''}
      aside={
        onArchive && (
          <Button kind="ghost" onClick={onArchive}>
            改用封存
          </Button>
        )
      }
      onClose={onClose}
      onDone={() => go.open('/strategies', true)}
    >
      <p>
        Webhook 與設定會刪除，無法復原。
        {keep ? `${count} 筆訊號的紀錄會保留在伺服器上。` : `${count} 筆訊號也會一起刪除。`}
      </p>
      <Checkbox label="保留訊號紀錄" checked={keep} onChange={setKeep} />
      <TextField
        label="輸入策略名稱以確認"
        value={typed}
        onChange={setTyped}
        placeholder={name}
        autoComplete="off"
      />
    </Ask>
  )
}
