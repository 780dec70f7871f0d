// Going on as another organization: to its first page, its administration, its description.

import { profileQueries } from '#data/nouns/profile.ts'
import { useData } from '#screen/data.tsx'
import { isDirty } from '#screen/dirty.ts'
import { useGo } from '#screen/go.ts'
import { manageOrganization, switchContext } from '#screen/switch.ts'
import { toast } from '#screen/toast.ts'
import { ringing } from '#state/install.ts'
import { auth } from '#state/session.ts'

/** `manage(id)` as 管理 of spec §4; `open(id, path)` takes the identity on and opens a page of it, `words` stand over what is said of the switch; `refresh()` fetches the profile that names it. */
export function useEnter() {
  const data = useData()
  const go = useGo()
  return {
    manage(id: string) {
      if (auth.org_id === id) go.open('/organizations/manage')
      else manageOrganization(id)
    },
    open(id: string, path: string, replace = false, words?: string) {
      if (auth.org_id !== id) {
        if (isDirty() && !confirm('這一頁還有沒送出的內容。要放棄並切換身份嗎？')) return
        switchContext(id, path, words)
      }
      go.open(path, replace)
    },
    /** Until then the person may not act as the organization; fails as the call does. */
    refresh: () => data.query.fetchQuery({ ...profileQueries.mine(), staleTime: 0 }),
  }
}

// What follows once somebody came into an organization, whatever the way: they stand on its feed, as a member of it, are told so
// once, and are asked to make this phone ring.

/**
 * `arrive(organization, name, otherwise)`: `organization` as the call answered it, null when it said none; `name` as the words
 * call it; `otherwise` runs where the person's own profile does not know of it yet, so that they stay who they are.
 */
export function useArrive() {
  const enter = useEnter()
  const go = useGo()
  return async (organization: { id: string } | null, name: string, otherwise: () => void): Promise<void> => {
    const profile = await enter.refresh().catch((error: unknown) => console.warn('profile', error))
    const title = `已加入「${name}」`
    if (!organization || !profile?.organizations.some(({ id }) => id === organization.id)) {
      otherwise()
      toast({
        title,
        description: '切換身份，就看得到分享給你的策略與訊號。',
        icon: 'check',
        duration: 10_000,
      })
      return
    }
    switchContext(organization.id, '/dashboard', title)
    // somebody who was signed in before is asked as well
    ringing.asked = true
    go.open('/dashboard', true)
  }
}
