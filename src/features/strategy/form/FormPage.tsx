/* The page around a strategy's form. */

import type { ReactNode } from 'react'
import { LeaveForm } from '#screen/LeaveForm.tsx'
import { Refused } from '#screen/Refused.tsx'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/open.ts'
import { useRootMark } from '#ui/root-mark.ts'
import css from './StrategyForm.module.css'

export function FormPage({ children }: { children: ReactNode }) {
  return <div className={cx('page', css.page)}>{children}</div>
}

/* The end of the form, always in reach of the thumb: what is kept, the way out, the way on. */

/** `kept` says where the typed text is safe; `busy` shows the ring on the main button; `problem` why the last try failed, when no field is to blame. */
export type FormBarProps = {
  submit: string
  busy: boolean
  kept: string
  problem: string | null | undefined
  onCancel: () => void
  cancel: string
  disabled?: boolean
}

export function FormBar({ submit, busy, kept, problem, onCancel, cancel, disabled = false }: FormBarProps) {
  useRootMark('form-bar')
  return (
    <div className={css.bar}>
      <Refused text={problem} />
      <p role="status">{kept}</p>
      <span className={cx(css.room, 'sp')} />
      <Button kind="soft" bar className={css.key} onClick={onCancel}>
        {cancel}
      </Button>
      <Button kind="filled" bar className={css.main} type="submit" busy={busy} disabled={disabled}>
        {submit}
      </Button>
    </div>
  )
}

/* The question of the strategy's forms: a new one is kept on the device, changes of an existing one are not. */

/** `armed` while there is something to lose. `keeps` the text stays on the device (a new strategy): leaving loses nothing, and `onDrop` offers to throw it away. */
export type LeaveDialogProps = { armed: () => boolean; keeps: boolean; onDrop: () => void }

export function LeaveDialog({ keeps, ...form }: LeaveDialogProps) {
  return keeps ? (
    <LeaveForm {...form} keeps title="先離開這份表單？" verb="捨棄內容">
      填好的內容存在這支裝置，下次打開新增策略會還在。
    </LeaveForm>
  ) : (
    <LeaveForm {...form} title="放棄還沒儲存的修改？" verb="放棄修改">
      這一頁的修改還沒存到伺服器，離開後就沒有了。
    </LeaveForm>
  )
}
