// The page between the bars, or what stands there instead: the skeleton while the role is not known, and while a switch leads elsewhere.
import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import type { Acting } from '#screen/after-paint.ts'
import { useCtx } from '#screen/data.tsx'
import { guard, letInAs } from '#screen/guard.ts'
import { actingAs, useProfile } from '#screen/profile.ts'
import { switching } from '#screen/switch.ts'
import { auth } from '#state/session.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { followRole } from './identity.ts'
import { useSkeleton } from './Pending.tsx'

export function ShellPage() {
  const router = useRouter()
  const ctx = useCtx()
  const { profile } = useProfile()
  const { waiting, asked } = useSnapshot(guard)
  const { to } = useSnapshot(switching)
  const waited = useSkeleton()
  useRoleChange()
  // the guard could not judge without the role: it does now
  // biome-ignore lint/correctness/useExhaustiveDependencies: the role is told once more
  useEffect(() => {
    if (profile && waiting) void router.invalidate()
  }, [router, profile, waiting, asked])
  if (!profile || waiting || to !== null)
    return (
      <div className="page">{to === null ? <Skeleton {...waited} /> : <Skeleton type="dashboard" />}</div>
    )
  // another identity gets a page of its own: no state of the old one survives, not for a frame
  return <Outlet key={ctx} />
}

/** The role in the same organization is another one now (admin ↔ member): the page may have to be left. */
function useRoleChange(): void {
  const router = useRouter()
  const { org_id } = useSnapshot(auth)
  const { profile } = useProfile()
  const { role } = profile ? actingAs(org_id) : { role: null }
  // the answer may have come between the guard and the first frame
  const before = useRef<Acting>(letInAs() ?? { org_id, role })
  useEffect(() => {
    const { org_id: was_in, role: was } = before.current
    before.current = { org_id, role }
    if (was_in === org_id && was !== null && role !== null && was !== role) followRole(router, was)
  }, [router, org_id, role])
}
