// The new password with the old one beside it (where there is one), the same in the profile and where it is forced.

import { type ReactNode, useId, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { fieldMessages } from '#contract/field-messages.ts'
import { updatePassword } from '#contract/session.ts'
import { sessionMutations } from '#data/nouns/session.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { failureText } from '#text/errors.ts'
import { withNewPassword } from '#text/password.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import type { IconName } from '#ui/Icon.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { PasswordField, type PasswordFieldProps, StrengthMeter } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import css from './ProfilePage.module.css'

const EMPTY = { old_password: '', new_password: '', again: '' }
type Values = typeof EMPTY

function check({ again, ...rest }: Values, has_password: boolean): Record<string, string> {
  const { old_password, ...first } = rest
  const found = fieldMessages(updatePassword.input, has_password ? rest : first)
  const all = withNewPassword(found, 'new_password', { ...rest, again })
  if (has_password && old_password === rest.new_password) all['new_password'] ??= '新密碼不能和目前的一樣'
  return all
}

/** `id` ties the button that sends it, `onBusy` follows the call; `onDone` after the new password stands. */
export function PasswordForm({
  id,
  has_password,
  onBusy,
  onDone,
}: {
  id: string
  has_password: boolean
  onBusy: (busy: boolean) => void
  onDone: () => void
}) {
  const { values, failure, field, form } = useForm({
    initial: EMPTY,
    check: (typed) => check(typed, has_password),
    send: async ({ old_password, new_password }) => {
      onBusy(true)
      const input = { new_password, ...(has_password && { old_password }) }
      await sessionMutations
        .password()
        .mutationFn(input)
        .finally(() => onBusy(false))
      toast({ title: '密碼已更新', description: '其他裝置都已登出。', icon: 'check' })
      onDone()
    },
    refused: (error) => {
      const text = failureText(error)
      toast({ title: '密碼沒有更新', description: text, variant: 'destructive' })
      if (!(error instanceof ApiError)) return { text }
      const { fields } = error.details
      return { fields: fields ?? { [has_password ? 'old_password' : 'new_password']: text } }
    },
  })
  return (
    <form id={id} className={css.PasswordFormForm} {...form}>
      {has_password && (
        <PasswordField label="目前的密碼" autoComplete="current-password" {...field('old_password')} />
      )}
      <div>
        <PasswordField
          label="新密碼"
          autoComplete="new-password"
          hint="8 到 72 個字元"
          {...field('new_password')}
        />
        <StrengthMeter password={values.new_password} />
      </div>
      <PasswordField label="確認新密碼" autoComplete="new-password" {...field('again')} />
      <Refused text={failure} />
    </form>
  )
}

// 密碼: changed with the old one, or set for the first time by whoever signs in through another provider.

export function PasswordCard({ has_password }: { has_password: boolean }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const verb = has_password ? '變更密碼' : '設定密碼'
  return (
    <Card title="密碼" pad>
      <div className="row gap12">
        <p className="sp t13 ink3">
          {has_password
            ? '變更後，其他裝置會登出，這支裝置不受影響。'
            : '你用別的服務登入，還沒有密碼。設定後也能用電子郵件登入。'}
        </p>
        <Button size="s" icon="lock" onClick={() => setOpen(true)}>
          {verb}
        </Button>
      </div>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        sticky
        title={verb}
        icon="lock"
        actions={
          <>
            <Button onClick={() => setOpen(false)}>取消</Button>
            <Button kind="filled" type="submit" form={id} busy={busy}>
              {verb}
            </Button>
          </>
        }
      >
        <PasswordForm id={id} has_password={has_password} onBusy={setBusy} onDone={() => setOpen(false)} />
      </Dialog>
    </Card>
  )
}

// What the account asks its password for once more: said above it, then done.

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
