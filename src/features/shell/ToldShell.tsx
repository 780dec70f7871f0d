// The frame of 403 and not found: it never makes them wait. Until the profile is here, or without any, the page stands alone.
import { Outlet } from '@tanstack/react-router'
import { useSnapshot } from 'valtio'
import { useAskedProfile } from '#screen/profile.ts'
import { auth } from '#state/session.ts'
import { OpenShell } from './OpenShell.tsx'

export function ToldShell() {
  const { uid } = useSnapshot(auth)
  return uid === null ? <OpenShell /> : <Person />
}

function Person() {
  const { profile } = useAskedProfile()
  if (profile) return <OpenShell />
  return (
    <main id="main">
      <Outlet />
    </main>
  )
}
