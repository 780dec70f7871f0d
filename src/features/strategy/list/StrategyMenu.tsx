/* 更多 of a strategy in the list: open, edit, copy, pause; what deletes stays on the strategy's own page. */
import { lazy, Suspense, useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { useGo } from '#screen/go.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu, type MenuItem } from '#ui/Menu.tsx'
import { useMenu } from '../use-menu.ts'

const DuplicateDialog = lazy(() =>
  import('../DuplicateDialog.tsx').then(({ DuplicateDialog }) => ({ default: DuplicateDialog })),
)

export function StrategyMenu({ strategy }: { strategy: Strategy }) {
  const { go } = useGo()
  const [copying, setCopying] = useState(false)
  const { notify, edit, copy, turn } = useMenu(strategy, () => setCopying(true))
  const page = go(`/strategies/${strategy.id}`)
  const view: MenuItem = { label: '檢視', icon: 'eye', href: page.href, onPick: page.onClick }
  const items = [view, notify, edit, copy, turn && { ...turn, apart: true }]
  const id = `menu-${strategy.id}`
  return (
    <>
      <IconButton icon="more" size={18} label={`${strategy.name}：更多`} quiet opensId={id} />
      <Menu id={id} label={`${strategy.name}：更多`} items={items.filter((item) => item !== null)} />
      {copying && (
        <Suspense>
          <DuplicateDialog strategy={strategy} onClose={() => setCopying(false)} />
        </Suspense>
      )}
    </>
  )
}
