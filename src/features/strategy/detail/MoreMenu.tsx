/* 更多: pause and resume at once, copy, archive and delete after a question. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { strategyMutations } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { notifyHref, useGo } from '#screen/go.ts'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu, type MenuItem } from '#ui/Menu.tsx'
import { DuplicateDialog } from '../DuplicateDialog.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'

type Status = Strategy['status']
const DONE: Record<Status, string> = {
  active: '策略已啟用',
  paused: '策略已暫停：訊號照常記錄，不通知任何人',
  archived: '策略已封存：Webhook 不再收訊號',
}

export function MoreMenu({ strategy }: { strategy: Strategy }) {
  const ctx = useCtx()
  const { go } = useGo()
  const [asking, setAsking] = useState<'archive' | 'copy' | 'delete' | null>(null)
  const change = useMutation({
    ...strategyMutations.turn(ctx),
    onSuccess: (changed) => {
      setAsking(null)
      toast({ title: DONE[changed.status], icon: 'check' })
    },
    onError: (error) =>
      toast({
        title: '狀態沒有改成',
        description: failureSentence(error, '策略維持原樣，'),
        variant: 'destructive',
      }),
  })
  const { id, name, status, can } = strategy
  const turn = (next: Status) => change.mutate({ id, name, status: next })
  const settings = go(notifyHref(id))
  const edit = go(`/strategies/${id}/edit`)
  const items: MenuItem[] = [
    { label: '通知設定', icon: 'bell', href: settings.href, onPick: settings.onClick },
  ]
  if (can.includes('edit')) {
    items.push({ label: '編輯', icon: 'edit', href: edit.href, onPick: edit.onClick })
    if (status === 'active')
      items.push({
        label: '暫停',
        icon: 'pause',
        note: '照常記錄，不通知',
        onPick: () => turn('paused'),
      })
    else
      items.push({
        label: status === 'paused' ? '恢復啟用' : '取消封存',
        icon: 'play',
        onPick: () => turn('active'),
      })
    items.push({ label: '複製…', icon: 'copy', onPick: () => setAsking('copy') })
    if (status !== 'archived')
      items.push({ label: '封存…', icon: 'archive', onPick: () => setAsking('archive') })
  }
  if (can.includes('delete'))
    items.push({
      label: '刪除…',
      icon: 'trash',
      danger: true,
      apart: true,
      onPick: () => setAsking('delete'),
    })
  const menu = `more-${strategy.id}`
  return (
    <>
      <IconButton icon="more" label="更多" opensId={menu} />
      <Menu id={menu} label="更多" items={items} />
      <Dialog
        open={asking === 'archive'}
        onClose={() => setAsking(null)}
        title={`封存「${strategy.name}」`}
        icon="archive"
        actions={
          <>
            <Button firstFocus onClick={() => setAsking(null)}>
              取消
            </Button>
            <Button kind="filled" busy={change.isPending} onClick={() => turn('archived')}>
              封存
            </Button>
          </>
        }
      >
        <p>Webhook 會回覆停用，策略不再列出。紀錄全部保留，隨時可以取消封存。</p>
      </Dialog>
      {asking === 'copy' && <DuplicateDialog strategy={strategy} onClose={() => setAsking(null)} />}
      {asking === 'delete' && (
        <DeleteDialog
          strategy={strategy}
          onClose={() => setAsking(null)}
          onArchive={status === 'archived' ? null : () => setAsking('archive')}
        />
      )}
    </>
  )
}
