/* 更多: pause and resume at once, copy, archive and delete after a question. */
import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { strategyMutations } from '#data/nouns/strategy.ts'
import { Ask } from '#screen/Ask.tsx'
import { useCtx } from '#screen/data.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu, type MenuItem } from '#ui/Menu.tsx'
import { DuplicateDialog } from '../DuplicateDialog.tsx'
import { turned, useMenu } from '../use-menu.ts'
import { DeleteDialog } from './DeleteDialog.tsx'

export function MoreMenu({ strategy }: { strategy: Strategy }) {
  const ctx = useCtx()
  const [asking, setAsking] = useState<'archive' | 'copy' | 'delete' | null>(null)
  const { notify, edit, turn, copy } = useMenu(strategy, () => setAsking('copy'))
  const { id, name, status, can } = strategy
  const archive: MenuItem = { label: '封存…', icon: 'archive', onPick: () => setAsking('archive') }
  const onDelete = () => setAsking('delete')
  const remove: MenuItem = { label: '刪除…', icon: 'trash', danger: true, apart: true, onPick: onDelete }
  const items = [
    ...[notify, edit, turn, copy],
    can.includes('edit') && status !== 'archived' ? archive : null,
    can.includes('delete') ? remove : null,
  ]
  const menu = `more-${id}`
  return (
    <>
      <IconButton icon="more" label="更多" opensId={menu} />
      <Menu id={menu} label="更多" items={items.filter((item) => item !== null)} />
      {asking === 'archive' && (
        <Ask
          title={`封存「${name}」`}
          verb="封存"
          icon="archive"
          mild
          mutation={strategyMutations.turn(ctx)}
          input={{ id, name, status: 'archived' }}
          done={(changed) => ({ title: turned(changed) })}
          safe="策略維持原樣，"
          onClose={() => setAsking(null)}
        >
          <p>Webhook 會回覆停用，策略不再列出。紀錄全部保留，隨時可以取消封存。</p>
        </Ask>
      )}
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
