/* A question before something that takes away: what happens, the safe verb first, the refusal inside. */
import type { ReactNode } from 'react'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import type { IconName } from '#ui/icons.ts'

/** `verb` of the button; `failure` is shown inside and the question stays. */
export type AskProps = {
  title: string
  verb: string
  icon?: IconName
  busy: boolean
  failure?: string | null
  disabled?: boolean
  sticky?: boolean
  onYes: () => void
  onClose: () => void
  children: ReactNode
}

export function Ask(props: AskProps) {
  const { title, verb, icon = 'trash', busy, failure, disabled = false, sticky = false } = props
  return (
    <Dialog
      open
      onClose={props.onClose}
      sticky={sticky}
      title={title}
      icon={icon}
      danger
      actions={
        <>
          <Button onClick={props.onClose} firstFocus>
            取消
          </Button>
          <Button kind="danger" icon={icon} busy={busy} disabled={disabled} onClick={props.onYes}>
            {verb}
          </Button>
        </>
      }
    >
      {props.children}
      {failure && (
        <Banner tone="danger" icon="warning" urgent>
          {failure}
        </Banner>
      )}
    </Dialog>
  )
}
