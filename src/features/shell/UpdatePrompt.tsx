// 新版本已就緒: a card that waits. It reloads only when the person says so, and never over a form that holds something.
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { useDirty } from '#screen/dirty.ts'
import { applyUpdate, update } from '#state/update.ts'
import { Button } from '#ui/Button.tsx'

export function UpdatePrompt() {
  const { waiting, applying } = useSnapshot(update)
  const dirty = useDirty()
  const [later, setLater] = useState(false)
  if (!waiting || later) return null
  return (
    <aside className="update" role="status">
      <b>新版本已就緒</b>
      <p>{dirty ? '先把正在填的內容存好，再更新。' : '更新只要一秒，已存下的紀錄都在。'}</p>
      <div className="row gap8">
        <Button size="s" kind="ghost" onClick={() => setLater(true)}>
          稍後
        </Button>
        <Button size="s" kind="tint" busy={applying} disabled={dirty} onClick={applyUpdate}>
          更新
        </Button>
      </div>
    </aside>
  )
}
