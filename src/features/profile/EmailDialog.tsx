// Another e-mail: the password once more, and what happens then, in the words of spec §8.
import { ApiError } from '#contract/errors.ts'
import { fieldMessages } from '#contract/field-messages.ts'
import { updateEmail } from '#contract/profile.ts'
import { accountMutations } from '#data/nouns/account.ts'
import { putProfile } from '#data/nouns/profile.ts'
import { toast } from '#screen/toast.ts'
import { failureText } from '#text/errors.ts'
import { EMAIL } from '#text/spec.ts'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { PasswordDialog } from './PasswordDialog.tsx'

/** What is said of a refusal, and at which field. Without an answer, or asked to wait, the failure has words of its own. */
function refusal(error: unknown): { at: 'password' | 'new_email'; text: string } {
  if (error instanceof ApiError && error.code === 6003) return { at: 'password', text: EMAIL.wrong_password }
  const own = !(error instanceof ApiError) || error.status === 429 || error.status >= 500
  return { at: 'new_email', text: own ? failureText(error) : EMAIL.taken }
}

export function EmailDialog({
  has_password,
  onClose,
  onChanged,
}: {
  has_password: boolean
  onClose: () => void
  onChanged: () => void
}) {
  const state = useForm({
    initial: { new_email: '', password: '' },
    check: (typed) => fieldMessages(updateEmail.input, typed),
    send: async (typed) => {
      const { email } = await accountMutations.email().mutationFn(typed)
      putProfile({ email, email_verified: false })
      toast({ title: EMAIL.updated, icon: 'check' })
      onChanged()
    },
    refused: (error) => {
      const { at, text } = refusal(error)
      toast({ title: text, variant: 'destructive' })
      return error instanceof ApiError ? { fields: { [at]: text } } : { text }
    },
  })
  return (
    <PasswordDialog
      {...state}
      password={state.field('password')}
      verb="變更電子郵件"
      icon="mail"
      has_password={has_password}
      then="來變更電子郵件"
      onClose={onClose}
    >
      <p>電子郵件就是帳號：之後用新的登入，並要重新驗證。原來的信箱會收到通知。</p>
      <TextField
        label="新的電子郵件"
        type="email"
        inputMode="email"
        autoComplete="email"
        placeholder="name@example.com"
        {...state.field('new_email')}
      />
    </PasswordDialog>
  )
}
