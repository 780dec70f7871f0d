// 「為什麼不行？」 of a permission: as whom one stands here, which of one's other identities has it, and who can give it.
import { useQuery } from '@tanstack/react-query'
import { useSnapshot } from 'valtio'
import { may, type Permission } from '#contract/permissions.ts'
import { membershipQueries } from '#data/nouns/organization.ts'
import { auth } from '#state/session.ts'
import { PERMISSION_WORDS } from '#text/errors.ts'
import { IDENTITY } from '#text/spec.ts'
import { useCtx } from './data.tsx'
import { usePrivacy } from './privacy.ts'
import { identityOf, masked, useIdentityName, useProfile } from './profile.ts'

/** `reason` one or two sentences; `grantors` the admins by name (and address), null while not known; `others` identities of the person that have it, id null = personal. */
export type Why = {
  reason: string
  grantors: string[] | null
  others: { id: string | null; name: string }[]
}

/** Why the current identity lacks `permission`, or that it has it. Asks for the admins only inside an organization whose admins have it. */
export function useWhy(permission: Permission): Why {
  const { org_id } = useSnapshot(auth)
  const { profile } = useProfile()
  const ctx = useCtx()
  const privacy = usePrivacy()
  const name = useIdentityName()
  const by_admins =
    org_id !== null &&
    may({ type: 'organization', role: 'admin' }, permission) &&
    !may(identityOf(org_id, profile), permission)
  const admins = useQuery({ ...membershipQueries.admins(ctx, org_id ?? ''), enabled: by_admins })
  const organizations = profile?.organizations ?? []
  const others = [{ id: null, name: '個人身份' }, ...organizations].filter(
    ({ id }) => id !== org_id && may(identityOf(id, profile), permission),
  )
  const identity = identityOf(org_id, profile)
  const grantors = admins.data?.map(({ name, email }) => (privacy.on ? masked(name) : `${name}（${email}）`))
  return {
    reason: `需要「${PERMISSION_WORDS[permission]}」的權限。${stand()}`,
    grantors: by_admins ? (grantors ?? null) : [],
    others: others.map(({ id, name }) => ({
      id,
      name: privacy.on && id !== null ? masked(name) : name,
    })),
  }

  function stand(): string {
    if (may(identity, permission)) return '你現在的身份有這個權限，可以再打開那一頁。'
    const elsewhere = by_admins || others.length > 0
    if (identity.type === 'personal')
      return `你現在是個人身份，這個權限屬於組織。${elsewhere ? '' : wayTo(permission)}`
    const role = IDENTITY[identity.role ?? 'member']
    const where = privacy.on ? masked(name) : name
    return `你在「${where}」是${role}，沒有這個權限。${elsewhere ? '' : '組織裡的身份都沒有它。'}`
  }
}

/** What gives the permission to somebody who has no identity with it: an organization alone, or only its administration. */
function wayTo(permission: Permission): string {
  return may({ type: 'organization', role: 'member' }, permission)
    ? '建立或加入組織之後才會有。'
    : '建立自己的組織，或由組織的管理者設為管理者之後才會有。'
}
