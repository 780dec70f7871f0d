// Signing out while something still waits: 送出, 保留 or 捨棄 (reliability.md F32).
import { useState } from 'react'
import { getData } from '#data/current.ts'
import { useOutbox } from '#screen/outbox.ts'
import { leave, leaving } from '#screen/session.ts'
import { failureText } from '#text/errors.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Modal.tsx'
import css from './OutboxPanel.module.css'

export function LeaveQuestion() {
  const { rows } = useOutbox()
  const [busy, setBusy] = useState<'send' | 'discard' | null>(null)
  const [trouble, setTrouble] = useState('')
  const close = () => {
    leaving.asking = false
  }
  const after = async (what: 'send' | 'discard') => {
    setBusy(what)
    setTrouble('')
    try {
      const outbox = await getData().outbox.open()
      const left = await (what === 'send' ? outbox.sendAll() : outbox.discardAll())
      if (left === 0) return await leave()
      setTrouble(
        what === 'send'
          ? `還有 ${left} 筆送不出去${navigator.onLine ? '' : '：目前離線'}。可以保留到下次登入，或捨棄。`
          : `有 ${left} 筆正在送出，收不回來了；稍等一下再登出。`,
      )
    } catch (error) {
      setTrouble(failureText(error))
    }
    setBusy(null)
  }
  return (
    <Dialog
      open
      onClose={close}
      title={`還有 ${rows.length} 筆沒有送出`}
      icon="tray"
      aside={
        <Button
          kind="danger"
          busy={busy === 'discard'}
          disabled={busy === 'send'}
          onClick={() => void after('discard')}
        >
          捨棄
        </Button>
      }
      actions={
        <>
          <Button disabled={busy !== null} onClick={() => void leave()}>
            保留
          </Button>
          <Button
            kind="filled"
            firstFocus
            busy={busy === 'send'}
            disabled={busy === 'discard'}
            onClick={() => void after('send')}
          >
            送出
          </Button>
        </>
      }
    >
      <p>登出前，這些修改要怎麼處理？</p>
      <dl className={css.LeaveQuestionWays}>
        <dt>送出</dt>
        <dd>現在送到伺服器，送完就登出。</dd>
        <dt>保留</dt>
        <dd>留在這支裝置，你下次在這裡登入時送出；別人登入不會送，也看不到內容。</dd>
        <dt>捨棄</dt>
        <dd>不送了，改過的內容不會生效。</dd>
      </dl>
      {trouble && (
        <p className={css.LeaveQuestionTrouble} role="alert">
          {trouble}
        </p>
      )}
    </Dialog>
  )
}
