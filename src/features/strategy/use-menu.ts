// What 更多 of a strategy offers, in the list and on its own page.
import { useMutation } from '@tanstack/react-query'
import type { Strategy } from '#contract/strategy.ts'
import { getData } from '#data/current.ts'
import { strategyMutations } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { notifyHref, useGo } from '#screen/go.ts'
import { toast } from '#screen/toast.ts'
import type { MenuItem } from '#ui/Menu.tsx'

type Named = Pick<Strategy, 'name' | 'status'>

/** What a change of the state did, in a sentence. */
export function turned({ name, status }: Named): string {
  return {
    active: `「${name}」已啟用`,
    paused: `「${name}」已暫停：訊號照常記錄，不通知任何人`,
    archived: `「${name}」已封存：Webhook 不再收訊號`,
  }[status]
}

/**
 * The actions that the caller may take on `strategy`, each under its name; `null` is one that is not theirs. Pausing and resuming
 * happen at once and say what they did, or why not; `copy` opens the caller's dialog.
 */
export function useMenu(
  strategy: Strategy,
  copy: () => void,
): { notify: MenuItem | null; edit: MenuItem | null; turn: MenuItem | null; copy: MenuItem | null } {
  const { id, name, status, can } = strategy
  const { go } = useGo()
  const change = useMutation({
    ...strategyMutations.turn(useCtx()),
    onSuccess: (changed) => toast({ title: turned(changed), icon: 'check' }),
    onError: (error) =>
      toast({
        title: `「${name}」的狀態沒有改成`,
        description: failureSentence(error, '策略維持原樣，'),
        variant: 'destructive',
      }),
  })
  const link = ({ href, onClick }: ReturnType<typeof go>) => ({ href, onPick: onClick })
  const turn = (next: Strategy['status']) => () => change.mutate({ id, name, status: next })
  const editable = can.includes('edit')
  const { viewed } = getData()
  return {
    notify: viewed ? null : { label: '通知設定', icon: 'bell', ...link(go(notifyHref(id))) },
    edit: editable ? { label: '編輯', icon: 'edit', ...link(go(`/strategies/${id}/edit`)) } : null,
    turn: !editable
      ? null
      : status === 'active'
        ? { label: '暫停', icon: 'pause', note: '照常記錄，不通知', onPick: turn('paused') }
        : {
            label: status === 'paused' ? '恢復啟用' : '取消封存',
            icon: 'play',
            onPick: turn('active'),
          },
    copy: editable ? { label: '複製…', icon: 'copy', onPick: copy } : null,
  }
}
