// ?: the keys of the shell, in words. The shell listens through this part, so that the list and the keys are one.
import { useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import './keys.css'
import { PLACES, useKeys } from './keys.ts'
import { useMay } from './profile.ts'

function Line({ keys, children }: { keys: readonly string[]; children: string }) {
  return (
    <div>
      <dt>{children}</dt>
      <dd>
        {keys.map((key) => (
          <kbd key={key} className="tag line">
            {key}
          </kbd>
        ))}
      </dd>
    </div>
  )
}

export function KeyHelp() {
  const [open, setOpen] = useState(false)
  const may_create = useMay('strategy:create')
  useKeys(() => setOpen(true))
  const close = () => setOpen(false)
  return (
    <Dialog
      open={open}
      onClose={close}
      title="鍵盤快速鍵"
      actions={
        <Button kind="filled" firstFocus onClick={close}>
          知道了
        </Button>
      }
    >
      <dl className="keys">
        <Line keys={['/']}>搜尋這一頁</Line>
        {PLACES.map(({ key, label }) => (
          <Line key={key} keys={['g', key]}>{`前往${label}`}</Line>
        ))}
        {may_create && <Line keys={['n']}>新增策略</Line>}
        <Line keys={['Esc']}>關閉視窗或清除搜尋</Line>
        <Line keys={['?']}>顯示這份清單</Line>
      </dl>
    </Dialog>
  )
}
