/* The end of the form, always in reach of the thumb: what is kept, the way out, the way on. */
import { Button } from '#ui/Button.tsx'
import { useRootMark } from '#ui/root-mark.ts'

/** `kept` says where the typed text is safe; `busy` shows the ring on the main button. */
export type FormBarProps = {
  submit: string
  busy: boolean
  kept: string
  onCancel: () => void
  cancel: string
  disabled?: boolean
}

export function FormBar({ submit, busy, kept, onCancel, cancel, disabled = false }: FormBarProps) {
  useRootMark('form-bar')
  return (
    <div className="fbar">
      <p role="status">{kept}</p>
      <span className="sp" />
      <Button kind="soft" onClick={onCancel}>
        {cancel}
      </Button>
      <Button kind="filled" type="submit" busy={busy} disabled={disabled}>
        {submit}
      </Button>
    </div>
  )
}
