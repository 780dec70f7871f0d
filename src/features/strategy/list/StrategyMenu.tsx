/* 更多 of a strategy in the list: open, edit, copy, pause; what deletes stays on the strategy's own page. */
import { lazy, Suspense, useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { notifyHref, useGo } from '#screen/go.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu, type MenuItem } from '#ui/Menu.tsx'
import { usePause } from './use-pause.ts'

const DuplicateDialog = lazy(() =>
  import('../DuplicateDialog.tsx').then(({ DuplicateDialog }) => ({ default: DuplicateDialog })),
)

export function StrategyMenu({ strategy }: { strategy: Strategy }) {
  const { go } = useGo()
  const pause = usePause()
  const [copying, setCopying] = useState(false)
  const link = ({ href, onClick }: ReturnType<typeof go>) => ({ href, onPick: onClick })
  const items: MenuItem[] = [{ label: '檢視', icon: 'eye', ...link(go(`/strategies/${strategy.id}`)) }]
  items.push({ label: '通知設定', icon: 'bell', ...link(go(notifyHref(strategy.id))) })
  if (strategy.can.includes('edit')) {
    items.push({ label: '編輯', icon: 'edit', ...link(go(`/strategies/${strategy.id}/edit`)) })
    items.push({ label: '複製…', icon: 'copy', onPick: () => setCopying(true) })
    items.push(
      strategy.status === 'active'
        ? {
            label: '暫停',
            icon: 'pause',
            note: '照常記錄，不通知',
            apart: true,
            onPick: () => pause(strategy),
          }
        : {
            label: strategy.status === 'paused' ? '恢復啟用' : '取消封存',
            icon: 'play',
            apart: true,
            onPick: () => pause(strategy),
          },
    )
  }
  const id = `menu-${strategy.id}`
  return (
    <>
      <IconButton icon="more" size={18} label={`${strategy.name}：更多`} className="ink3" opensId={id} />
      <Menu id={id} label={`${strategy.name}：更多`} items={items} />
      {copying && (
        <Suspense>
          <DuplicateDialog strategy={strategy} onClose={() => setCopying(false)} />
        </Suspense>
      )}
    </>
  )
}
