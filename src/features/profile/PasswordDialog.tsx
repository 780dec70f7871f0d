// What the account asks its password for once more: said above it, then done.
import { type ReactNode, useId } from 'react'
import { ApiError } from '#contract/errors.ts'
import { Refused } from '#screen/Refused.tsx'
import { failureText } from '#text/errors.ts'
import { Button } from '#ui/Button.tsx'
import type { IconName } from '#ui/Icon.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { PasswordField, type PasswordFieldProps } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'

/** The form of a dialog that asks for the password alone; a refusal stands at it. */
export function usePassword(send: (typed: { password: string }) => Promise<unknown>) {
  const state = useForm({
    initial: { password: '' },
    check: ({ password }): Record<string, string> => (password === '' ? { password: '請輸入密碼' } : {}),
    send,
    refused: (error) => {
      const text = failureText(error)
      if (!(error instanceof ApiError)) return { text }
      return { fields: { password: error.details.fields?.['password'] ?? text } }
    },
  })
  return { ...state, password: state.field('password') }
}

/** `verb` is the title and the key; `then` what somebody without a password comes back for; `always` is said to them, too. */
type PasswordDialogProps = Pick<ReturnType<typeof useForm>, 'values' | 'failure' | 'busy' | 'form'> & {
  password: Omit<PasswordFieldProps, 'label' | 'autoComplete'>
  verb: string
  icon: IconName
  danger?: boolean
  has_password: boolean
  then: string
  always?: ReactNode
  children?: ReactNode
  onClose: () => void
}

export function PasswordDialog({ verb, icon, danger = false, ...props }: PasswordDialogProps) {
  const id = useId()
  return (
    <Dialog
      open
      onClose={props.onClose}
      sticky={Object.values(props.values).some((value) => value !== '')}
      title={verb}
      icon={icon}
      danger={danger}
      actions={
        <>
          <Button onClick={props.onClose} firstFocus={danger}>
            取消
          </Button>
          {props.has_password && (
            <Button kind={danger ? 'danger' : 'filled'} type="submit" form={id} busy={props.busy}>
              {verb}
            </Button>
          )}
        </>
      }
    >
      {props.always}
      {props.has_password ? (
        <form id={id} className="stack" {...props.form}>
          {props.children}
          <PasswordField
            label={danger ? '輸入密碼以確認' : '目前的密碼'}
            autoComplete="current-password"
            {...props.password}
          />
          <Refused text={props.failure} />
        </form>
      ) : (
        <p>這個帳號還沒有密碼。請先在「密碼」設定一個，再{props.then}。</p>
      )}
    </Dialog>
  )
}
