// The organization's place in both bars: 我的組織 for the person, 組織管理 for its admin, 組織詳情 for its member (spec §2).
import { useSnapshot } from 'valtio'
import { actingAs, useProfile } from '#screen/profile.ts'
import { auth } from '#state/session.ts'
import { NAV } from '#text/spec.ts'

/** Address, label (`short` on phones) and where it counts as being there; the member's until the role is known. */
export function useOrganizationLink(): { href: string; label: string; short: string; here: RegExp } {
  const { org_id } = useSnapshot(auth)
  useProfile() // the role comes with it
  if (org_id === null)
    return {
      href: '/my-organizations',
      label: NAV.my_organizations,
      short: NAV.organization_short,
      here: /^\/(my-organizations|organizations\/create)/,
    }
  if (actingAs(org_id).role === 'admin')
    return {
      href: '/organizations/manage',
      label: NAV.manage,
      short: NAV.manage_short,
      here: /^\/organizations\/manage/,
    }
  return {
    href: '/organizations/info',
    label: NAV.info,
    short: NAV.info_short,
    here: /^\/organizations\/info/,
  }
}
