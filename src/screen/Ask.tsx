/* A question before something that takes away: what happens, the safe verb first, the call, the refusal inside. */
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '#ui/Button.tsx'
import type { IconName } from '#ui/Icon.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { codeOf, failureSentence } from './failure.ts'
import { Refused } from './Refused.tsx'
import { toast } from './toast.ts'

export interface DoneMessage {
  title: string
  description?: string
}

/**
 * `verb` of the button, which sends `input` through `mutation`; then `done` is said and the question closes. A refusal is shown
 * inside: what is `safe` meanwhile (ends with a comma), or `sole_admin` in its own words (4093). `mild`: nothing is lost by it.
 */
export type AskProps<Output, Input> = {
  title: string
  verb: string
  icon?: IconName
  mild?: boolean
  mutation: UseMutationOptions<Output, Error, Input>
  input: Input
  done: DoneMessage | ((answer: Output) => DoneMessage)
  safe: string
  sole_admin?: string
  disabled?: boolean
  sticky?: boolean
  /** The gentler way, at the left of the verbs. */
  aside?: ReactNode
  onClose: () => void
  onDone?: (() => void) | undefined
  children: ReactNode
}

export function Ask<Output, Input>(props: AskProps<Output, Input>) {
  const { title, verb, icon = 'trash', mild = false, mutation, input, done, safe, onClose, onDone } = props
  const { mutate, isPending, error } = useMutation(mutation)
  const own_words = codeOf(error) === 4093 ? props.sole_admin : undefined
  const act = () =>
    mutate(input, {
      onSuccess: (answer) => {
        toast({ ...(typeof done === 'function' ? done(answer) : done), icon: 'check' })
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
      danger={!mild}
      aside={props.aside}
      actions={
        <>
          <Button onClick={onClose} firstFocus>
            取消
          </Button>
          <Button
            kind={mild ? 'filled' : 'danger'}
            {...(!mild && { icon })}
            busy={isPending}
            disabled={props.disabled ?? false}
            onClick={act}
          >
            {verb}
          </Button>
        </>
      }
    >
      {props.children}
      <Refused text={error && (own_words ?? failureSentence(error, safe))} />
    </Dialog>
  )
}
