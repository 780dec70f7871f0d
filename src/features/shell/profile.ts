// The signed-in person on the screen: profile, the name as privacy mode wants it, permissions in the current identity.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { type Identity, may, type Permission } from '#contract/permissions.ts'
import type { Profile } from '#contract/profile.ts'
import { getData } from '#data/current.ts'
import { layProfile } from '#data/outbox/lay.ts'
import { profile_key, profileQueries } from '#data/profile.ts'
import { preferences } from '#state/preferences.ts'
import { auth } from '#state/session.ts'
import type { Acting } from './after-switch.ts'
import { useOutbox } from './outbox.ts'

/** A name as asterisks of equal length (spec §4). */
export function masked(name: string): string {
  return '*'.repeat([...name].length)
}

/** A name for a passing word that nothing draws again, as privacy mode wants it now. */
export function covered(name: string): string {
  return preferences.privacy ? masked(name) : name
}

/** The profile (undefined until it is known), and `shown_name`, which privacy mode covers. */
export function useProfile() {
  const { data, dataUpdatedAt, isError, error, refetch } = useQuery(profileQueries.mine())
  const outbox = useOutbox()
  const profile = useMemo(
    () => data && layProfile(data, outbox, dataUpdatedAt),
    [data, outbox, dataUpdatedAt],
  )
  const { privacy } = useSnapshot(preferences)
  const name = profile?.name ?? ''
  return { profile, failed: isError ? error : null, refetch, shown_name: privacy ? masked(name) : name }
}

/** In which capacity the person acts; the role is null while the profile is not known. */
export function identityOf(org_id: string | null, profile: Profile | undefined): Identity {
  if (org_id === null) return { type: 'personal' }
  return { type: 'organization', role: profile?.organizations.find(({ id }) => id === org_id)?.role ?? null }
}

/** The context with the role that the profile on this device gives it. */
export function actingAs(org_id: string | null): Acting {
  return { org_id, role: knownProfile()?.organizations.find(({ id }) => id === org_id)?.role ?? null }
}

/** The profile as far as it is on this device, without asking. */
export function knownProfile(): Profile | undefined {
  return getData().query.getQueryData<Profile>(profile_key)
}

/** The current identity in words: 個人身份, or the organization's name. */
export function useIdentityName(): string {
  const { org_id } = useSnapshot(auth)
  const name = knownProfile()?.organizations.find(({ id }) => id === org_id)?.name
  return org_id === null ? '個人身份' : (name ?? '這個組織')
}

/** True when the current identity has the permission: what guards and buttons ask. */
export function useMay(permission: Permission): boolean {
  const { org_id } = useSnapshot(auth)
  const { profile } = useProfile()
  return may(identityOf(org_id, profile), permission)
}
