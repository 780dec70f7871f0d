// Puts what the server has just confirmed into the profile that every screen reads.
import type { Profile } from '#contract/profile.ts'
import { profile_key } from '#data/nouns/profile.ts'
import type { useData } from '#screen/data.tsx'
import { knownProfile } from '#screen/profile.ts'

/** Lays the changes over the known profile. */
export function putProfile({ query }: ReturnType<typeof useData>, changes: Partial<Profile>): void {
  const known = knownProfile()
  if (known) query.setQueryData(profile_key, { ...known, ...changes })
}
