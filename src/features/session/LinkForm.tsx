// The address has an account already: its password confirms that both are the same person.

import { useGo } from '#screen/go.ts'
import { Refused } from '#screen/Refused.tsx'
import { Button } from '#ui/Button.tsx'
import { Gate } from '#ui/Gate.tsx'
import { PasswordField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { isNetwork, loginRefusal } from './refusal.ts'

/** `onSubmit` throws what the server refuses. */
export function LinkForm({ onSubmit }: { onSubmit: (password: string) => Promise<void> }) {
  const { go } = useGo()
  const { failure, busy, field, form } = useForm({
    initial: { password: '' },
    check: ({ password }): Record<string, string> => (password === '' ? { password: '請輸入密碼' } : {}),
    send: ({ password }) => onSubmit(password),
    refused: (error) => {
      const { text } = loginRefusal(error)
      return isNetwork(error) ? { text } : { fields: { password: text } }
    },
  })
  return (
    <Gate
      title="這個電子郵件已經有凌波帳號"
      actions={
        <>
          <Button {...go('/login')}>取消</Button>
          <Button kind="filled" type="submit" form="link-form" busy={busy}>
            連結並登入
          </Button>
        </>
      }
    >
      <p>請輸入凌波的密碼，確認是你本人。之後就能直接用這個方式登入，原本的密碼也照常可用。</p>
      <form id="link-form" {...form}>
        <PasswordField label="凌波的密碼" autoComplete="current-password" {...field('password')} />
      </form>
      <p>
        <Button size="s" kind="ghost" plain {...go('/reset-password')}>
          忘記密碼，或從未設定過
        </Button>
      </p>
      <Refused text={failure} />
    </Gate>
  )
}
