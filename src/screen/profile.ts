// The signed-in person on the screen: profile, the name as privacy mode wants it, permissions in the current identity.
import { hashKey, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { subscribe, useSnapshot } from 'valtio'
import { type Identity, may, type Permission } from '#contract/permissions.ts'
import type { Profile } from '#contract/profile.ts'
import { getData } from '#data/current.ts'
import { keys } from '#data/keys.ts'
import { profileQueries, profileWithPending } from '#data/nouns/profile.ts'
import { preferences } from '#state/preferences.ts'
import { auth } from '#state/session.ts'
import type { Acting } from './after-paint.ts'

/** A name as asterisks of equal length (spec §4). */
export function masked(name: string): string {
  return '*'.repeat([...name].length)
}

/** A name for a passing word that nothing draws again, as privacy mode wants it now. */
export function covered(name: string): string {
  return preferences.privacy ? masked(name) : name
}

/** `profile` undefined until it is known; `failed` why the last reading did not come; `shown_name` is covered in privacy mode. */
export interface ProfileView {
  profile: Profile | undefined
  failed: Error | null
  shown_name: string
}

/** One view for all who read it: made again only when the answer, what waits to be sent, or privacy mode has changed. */
let view: ProfileView & { made_of: readonly unknown[] } = {
  profile: undefined,
  failed: null,
  shown_name: '',
  made_of: [],
}

function currentView(): ProfileView {
  const data = getData()
  const state = data.query.getQueryState<Profile>(keys.person.profile)
  const outbox = data.outbox.getSnapshot()
  const failed = state?.status === 'error' ? state.error : null
  const made_of = [state?.data, state?.dataUpdatedAt, failed, outbox, preferences.privacy]
  if (made_of.some((part, at) => part !== view.made_of[at]) || view.made_of.length === 0) {
    const profile = state?.data && profileWithPending(state.data, outbox, state.dataUpdatedAt)
    view = { profile, failed, shown_name: covered(profile?.name ?? ''), made_of }
  }
  return view
}

const profile_hash = hashKey(keys.person.profile)

function watchView(changed: () => void): () => void {
  const { query, outbox } = getData()
  const stops = [
    query.getQueryCache().subscribe((event) => {
      if (event.query.queryHash === profile_hash) changed()
    }),
    outbox.subscribe(changed),
    subscribe(preferences, changed),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** The profile as this device knows it now; follows it, asks for nothing. The shell and the pages outside it ask. */
export function useProfile(): ProfileView {
  return useSyncExternalStore(watchView, currentView)
}

/** The same, asked for when it is not known or not fresh; `refetch` asks once more. */
export function useAskedProfile(): ProfileView & { refetch: () => Promise<unknown> } {
  // what the answer changes is heard by the view
  const { refetch } = useQuery({ ...profileQueries.mine(), notifyOnChangeProps: [] })
  return { ...useProfile(), refetch }
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
  return getData().query.getQueryData<Profile>(keys.person.profile)
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
