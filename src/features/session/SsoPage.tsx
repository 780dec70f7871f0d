// /sso: finishes another provider's sign-in from ?ticket=, or says why there is none.
import { useEffect, useRef, useState } from 'react'
import { SSO_ERRORS } from '#contract/oauth.ts'
import { useGo } from '#screen/go.ts'
import { isSignedIn } from '#screen/guard.ts'
import { SSO_REASONS } from '#text/account.ts'
import { failureText } from '#text/errors.ts'
import { Button } from '#ui/Button.tsx'
import { Gate } from '#ui/Gate.tsx'
import { AlreadyIn } from './AlreadyIn.tsx'
import { LinkForm } from './LinkForm.tsx'
import { Over } from './Over.tsx'
import { useTicket } from './ticket.ts'

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
