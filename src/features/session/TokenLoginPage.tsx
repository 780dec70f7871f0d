// /token-login: signs in with a ticket that works once. A press is asked for: programs that look into mails follow links, too.
import { useRef, useState } from 'react'
import { isSignedIn } from '#screen/guard.ts'
import { failureText } from '#text/errors.ts'
import { Button } from '#ui/Button.tsx'
import { Gate } from '#ui/Gate.tsx'
import { AlreadyIn, Over, useTicket } from './Ticket.tsx'

/** Both as they stand in the address, not yet trusted. */
export function TokenLoginPage({
  ticket,
  return_to,
}: {
  ticket: string | undefined
  return_to: string | undefined
}) {
  const had = useRef(ticket)
  const [before, setBefore] = useState(isSignedIn)
  const { state, exchange } = useTicket(ticket, return_to, '/token-login')
  if (had.current === undefined) return <Over text="這個登入連結不完整，請從信件或訊息裡重新開啟。" />
  if (before && state.at === 'asking')
    return (
      <AlreadyIn
        ticket={had.current}
        return_to={return_to}
        path="/token-login"
        onLeft={() => setBefore(false)}
      />
    )
  if (state.at === 'over') return <Over text={state.text} />
  if (state.at === 'link') return <Over text="這個登入連結要從登入頁開始，請重新登入。" />
  const failed = state.at === 'failed'
  return (
    <Gate
      title={failed ? '還沒完成登入' : '用這個連結登入凌波'}
      actions={
        <Button
          kind="filled"
          icon={failed ? 'refresh' : 'check'}
          busy={state.at === 'working'}
          onClick={() => void exchange()}
        >
          {failed ? '重試' : '登入'}
        </Button>
      }
    >
      <p>
        {failed ? failureText(state.error) : '如果這不是你要求的連結，請直接關閉這一頁，不會發生任何事。'}
      </p>
    </Gate>
  )
}
