/* A question before something that takes away: what happens, the safe verb first, the call, the refusal inside. */

import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { codeOf, failureSentence } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import type { IconName } from '#ui/icons.ts'

/**
 * `verb` of the button, which sends `input` through `mutation`; then `done` is said and the question closes. A refusal is shown
 * inside: what is `safe` meanwhile (ends with a comma), or `sole_admin` in its own words (4093).
 */
export type AskProps<Output, Input> = {
  title: string
  verb: string
  icon?: IconName
  mutation: UseMutationOptions<Output, Error, Input>
  input: Input
  done: { title: string; description?: string }
  safe: string
  sole_admin?: string
  disabled?: boolean
  sticky?: boolean
  onClose: () => void
  onDone?: (() => void) | undefined
  children: ReactNode
}

export function Ask<Output, Input>(props: AskProps<Output, Input>) {
  const { title, verb, icon = 'trash', mutation, input, done, safe, sole_admin, onClose, onDone } = props
  const { mutate, isPending, error } = useMutation(mutation)
  const refusal = sole_admin && codeOf(error) === 4093 ? sole_admin : failureSentence(error, safe)
  const act = () =>
    mutate(input, {
      onSuccess: () => {
        toast({ ...done, icon: 'check' })
        onClose()
        onDone?.()
      },
    })
  return (
    <Dialog
      open
      onClose={onClose}
      sticky={props.sticky ?? false}
      title={title}
      icon={icon}
      danger
      actions={
        <>
          <Button onClick={onClose} firstFocus>
            取消
          </Button>
          <Button kind="danger" icon={icon} busy={isPending} disabled={props.disabled ?? false} onClick={act}>
            {verb}
          </Button>
        </>
      }
    >
      {props.children}
      <Refused text={error && refusal} />
    </Dialog>
  )
}
