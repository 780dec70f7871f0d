// Exchanging a one-time ticket: once per page, taken out of the address before anything else happens.
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { ssoMutations } from '#data/nouns/session.ts'
import { useData } from '#screen/data.tsx'
import { useGo } from '#screen/go.ts'
import { useAskedProfile } from '#screen/profile.ts'
import { signIn } from '#screen/session.ts'
import { Button } from '#ui/Button.tsx'
import { Gate } from '#ui/Gate.tsx'
import { safeReturnTo } from './return-to.ts'

/** Where the matter stands. `link`: the account's password is asked for. */
export type TicketState =
  | { at: 'asking' | 'working' | 'link' }
  | { at: 'over'; text: string }
  | { at: 'failed'; error: unknown }

export interface Ticket {
  state: TicketState
  exchange(): Promise<void>
  /** Throws what the call throws: the form shows it. */
  link(password: string): Promise<void>
}

/** `ticket` and `return_to` as they stand in the address; `path` is what remains there. */
export function useTicket(ticket: string | undefined, return_to: string | undefined, path: string): Ticket {
  const { open } = useGo()
  const kept = useRef(ticket)
  const [state, setState] = useState<TicketState>({ at: 'asking' })
  useEffect(() => {
    if (ticket === undefined) return
    kept.current = ticket
    const query = new URLSearchParams(return_to ? { returnTo: return_to } : {})
    open(query.size > 0 ? `${path}?${query}` : path, true)
  }, [ticket, return_to, path, open])

  function enter(access_token: string) {
    signIn(access_token)
    open(safeReturnTo(return_to) ?? '/dashboard', true)
  }
  return {
    state,
    async exchange() {
      const value = kept.current
      if (value === undefined) return
      setState({ at: 'working' })
      try {
        const { access_token } = await ssoMutations.exchange().mutationFn({ ticket: value })
        enter(access_token)
      } catch (error) {
        if (!(error instanceof ApiError)) setState({ at: 'failed', error })
        else if (error.code === 6031) setState({ at: 'link' })
        else if (error.code === 4220)
          // what is wrong with a field says nothing to who pressed a link
          setState({ at: 'over', text: '這個連結不完整，請回到原來的地方再打開一次。' })
        else if (error.code === 4100) setState({ at: 'over', text: error.text })
        else setState({ at: 'failed', error })
      }
    },
    async link(password) {
      const value = kept.current
      if (value === undefined) return
      try {
        const { access_token } = await ssoMutations.link().mutationFn({ ticket: value, password })
        enter(access_token)
      } catch (error) {
        if (error instanceof ApiError && error.code === 4100) setState({ at: 'over', text: error.text })
        else throw error
      }
    },
  }
}

// A link arrives while somebody is signed in: nobody is moved to another account unasked.

export function AlreadyIn({
  ticket,
  return_to,
  path,
  onLeft,
}: {
  ticket: string
  return_to: string | undefined
  path: '/sso' | '/token-login'
  /** The first account is signed out. */
  onLeft: () => void
}) {
  const data = useData()
  const { open, go } = useGo()
  const { shown_name } = useAskedProfile()
  const [busy, setBusy] = useState(false)

  /** Signs out first and comes back with the ticket: everything of the first account has left the device by then. */
  async function change() {
    setBusy(true)
    await data.signOut()
    onLeft()
    // signing out leads to the landing page: back here
    open(`${path}?${new URLSearchParams({ ticket, ...(return_to && { returnTo: return_to }) })}`, true)
  }
  return (
    <Gate
      title="這個瀏覽器已經登入了"
      actions={
        <>
          <Button busy={busy} onClick={() => void change()}>
            改用這個連結登入
          </Button>
          <Button kind="filled" disabled={busy} {...go(safeReturnTo(return_to) ?? '/dashboard')}>
            繼續使用
          </Button>
        </>
      }
    >
      <p>
        {shown_name ? `目前以「${shown_name}」的身份登入。` : '目前已登入一個帳號。'}
        改用這個連結會先登出，存在這支裝置上的資料也會一起清除。
      </p>
    </Gate>
  )
}

// A one-time link that opens nothing any more: why, and the other ways in.

/** `text` is the server's sentence: used, expired or incomplete. */
export function Over({ text }: { text: string }) {
  const { go } = useGo()
  return (
    <Gate
      title="這個登入連結不能用了"
      actions={
        <Button kind="filled" {...go('/login')}>
          回到登入
        </Button>
      }
    >
      <p>{text}</p>
      <p>登入連結只能用一次，而且很快就會過期，這樣別人撿到也沒有用。</p>
    </Gate>
  )
}
