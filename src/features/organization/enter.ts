// Going on as another organization: to its first page, its administration, its description.

import { profileQueries } from '#data/nouns/profile.ts'
import { useData } from '#screen/data.tsx'
import { isDirty } from '#screen/dirty.ts'
import { useGo } from '#screen/go.ts'
import { manageOrganization, switchContext } from '#screen/switch.ts'
import { toast } from '#screen/toast.ts'
import { auth } from '#state/session.ts'

/** `manage(id)` as 管理 of spec §4; `open(id, path)` takes the identity on and opens a page of it; `refresh()` fetches the profile that names it. */
export function useEnter() {
  const data = useData()
  const go = useGo()
  return {
    manage(id: string) {
      if (auth.org_id === id) go.open('/organizations/manage')
      else manageOrganization(id)
    },
    open(id: string, path: string, replace = false) {
      if (auth.org_id !== id) {
        if (isDirty() && !confirm('這一頁還有沒送出的內容。要放棄並切換身份嗎？')) return
        switchContext(id, path)
      }
      go.open(path, replace)
    },
    /** Until then the person may not act as the organization; fails as the call does. */
    refresh: () => data.query.fetchQuery({ ...profileQueries.mine(), staleTime: 0 }),
  }
}

// What follows once somebody came into an organization, whatever the way: they stand on its feed, as a member of it, and are told so.

/**
 * `arrive(organization, name, otherwise)`: `organization` as the call answered it, null when it said none; `name` as the words
 * call it; `otherwise` runs where the person's own profile does not know of it yet, so that they stay who they are.
 */
export function useArrive() {
  const enter = useEnter()
  const go = useGo()
  return async (organization: { id: string } | null, name: string, otherwise: () => void): Promise<void> => {
    const known = await enter.refresh().catch((error: unknown) => console.warn('profile', error))
    const inside = organization && known?.organizations.some(({ id }) => id === organization.id)
    if (inside) go.open(`/dashboard?org=${organization.id}`, true)
    else otherwise()
    toast({
      title: `已加入「${name}」`,
      description: inside
        ? '你現在以這個組織的身份操作，看得到分享給你的策略與訊號。'
        : '切換身份，就看得到分享給你的策略與訊號。',
      icon: 'check',
      duration: 10_000,
    })
  }
}
