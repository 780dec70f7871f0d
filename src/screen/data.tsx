// How screens reach the data: the running `Data`, and in whose name they read (every query key starts with it).
import { useSnapshot } from 'valtio'
import { type Ctx, ctxOf } from '#data/context.ts'
import { type Data, getData } from '#data/current.ts'
import { auth } from '#state/session.ts'

/** The running data layer: `client.call(endpoint, input)`, `query`, `signals`, `signOut()`, `switchContext()`. The same object for the life of the page. */
export function useData(): Data {
  return getData()
}

/** `personal` or `org:<id>`: the scope of everything on the screen. Changes when the identity is switched. */
export function useCtx(): Ctx {
  return ctxOf(useSnapshot(auth).org_id)
}
