// /sso: finishes another provider's sign-in from ?ticket=, or says why there is none.
import { useEffect, useRef, useState } from 'react'
import { SSO_ERRORS } from '#contract/oauth.ts'
import { useGo } from '#screen/go.ts'
import { isSignedIn } from '#screen/guard.ts'
import { Refused } from '#screen/Refused.tsx'
import { SSO_REASONS } from '#text/account.ts'
import { failureText } from '#text/errors.ts'
import { Button } from '#ui/Button.tsx'
import { Gate } from '#ui/Gate.tsx'
import { PasswordField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { isNetwork, loginRefusal } from './refusal.ts'
import { AlreadyIn, Over, useTicket } from './Ticket.tsx'

/** All as it stands in the address, not yet trusted. */
export function SsoPage({
  ticket,
  error,
  return_to,
}: {
  ticket: string | undefined
  error: string | undefined
  return_to: string | undefined
}) {
  const { go } = useGo()
  const had = useRef(ticket)
  const [before, setBefore] = useState(isSignedIn)
  const { state, exchange, link } = useTicket(ticket, return_to, '/sso')
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current || had.current === undefined || before) return
    begun.current = true
    void exchange()
  })
  if (had.current === undefined) {
    const reason = SSO_REASONS[SSO_ERRORS.find((one) => one === error) ?? 'expired']
    return (
      <Gate
        title={reason.title}
        actions={
          <Button kind="filled" {...go('/login')}>
            回到登入
          </Button>
        }
      >
        <p>{reason.text}</p>
      </Gate>
    )
  }
  if (before && state.at === 'asking')
    return (
      <AlreadyIn ticket={had.current} return_to={return_to} path="/sso" onLeft={() => setBefore(false)} />
    )
  if (state.at === 'link') return <LinkForm onSubmit={link} />
  if (state.at === 'over') return <Over text={state.text} />
  if (state.at === 'failed')
    return (
      <Gate
        title="還沒完成登入"
        actions={
          <Button kind="filled" icon="refresh" onClick={() => void exchange()}>
            重試
          </Button>
        }
      >
        <p>{failureText(state.error)}</p>
      </Gate>
    )
  return (
    <Gate title="正在登入…" busy>
      <p>馬上就好。</p>
    </Gate>
  )
}

// The address has an account already: its password confirms that both are the same person.

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
