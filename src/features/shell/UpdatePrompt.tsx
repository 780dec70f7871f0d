// 新版本已就緒: a card that waits. It reloads only when the person says so, and never over a form that holds something.
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { useDirty } from '#screen/dirty.ts'
import { applyUpdate, update } from '#state/install.ts'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/open.ts'
import { useRootMark } from '#ui/root-mark.ts'
import css from './UpdatePrompt.module.css'

export function UpdatePrompt() {
  const { waiting } = useSnapshot(update)
  const [later, setLater] = useState(false)
  return waiting && !later ? <Waiting onLater={() => setLater(true)} /> : null
}

function Waiting({ onLater }: { onLater: () => void }) {
  const { applying } = useSnapshot(update)
  const dirty = useDirty()
  useRootMark('update')
  return (
    <aside className={css.root} role="status">
      <b>新版本已就緒</b>
      <p>{dirty ? '先把正在填的內容存好，再更新。' : '更新只要一秒，已存下的紀錄都在。'}</p>
      <div className={cx(css.keys, 'row gap8')}>
        <Button size="s" kind="ghost" onClick={onLater}>
          稍後
        </Button>
        <Button size="s" kind="tint" busy={applying} disabled={dirty} onClick={applyUpdate}>
          更新
        </Button>
      </div>
    </aside>
  )
}
