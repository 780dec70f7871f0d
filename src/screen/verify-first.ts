// The question before a first strategy: is the e-mail verified (spec §2, §5)? One dialog of the shell, asked from keys and pages.
import { proxy } from 'valtio'
import { useGo } from './go.ts'
import { useMay, useProfile } from './profile.ts'

/** Whether the question stands on the screen. */
export const verifyFirst = proxy({ asking: false })

/** `create()` leads to /strategies/create or asks for the e-mail first; `unverified` is false while the profile is not known. */
export function useCreate() {
  const { open } = useGo()
  const { profile } = useProfile()
  const allowed = useMay('strategy:create')
  const unverified = profile !== undefined && !profile.email_verified
  const create = () => {
    if (unverified) verifyFirst.asking = true
    else open('/strategies/create')
  }
  return { allowed, unverified, create }
}
