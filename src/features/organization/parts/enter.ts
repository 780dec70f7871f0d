// Going on as another organization: to its first page, its administration, its description.

import { profileQueries } from '#data/nouns/profile.ts'
import { useData } from '#screen/data.tsx'
import { isDirty } from '#screen/dirty.ts'
import { useGo } from '#screen/go.ts'
import { manageOrganization, switchContext } from '#screen/switch.ts'
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
