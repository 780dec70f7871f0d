// Exchanging a one-time ticket: once per page, taken out of the address before anything else happens.
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import { ssoMutations } from '#data/nouns/platform.ts'
import { useGo } from '#screen/go.ts'
import { signIn } from '#screen/session.ts'
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
