/* The end of the form, always in reach of the thumb: what is kept, the way out, the way on. */
import { Refused } from '#screen/Refused.tsx'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/open.ts'
import { useRootMark } from '#ui/root-mark.ts'
import css from './FormBar.module.css'

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
    <div className={css.root}>
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
