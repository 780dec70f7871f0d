// The main shell of spec §2: bar on top (desktop) or tabs below (phones); between them the page.
// A page renders <div className="page"> itself, or nothing around it: the shell only keeps the room of its bars free.
import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { getData } from '#data/current.ts'
import { LOADING, PROFILE } from '#text/spec.ts'
import { LoadingScreen } from '#ui/LoadingScreen.tsx'
import './shell.css'
import { session } from './device.ts'
import { IdentityBanner } from './IdentityBanner.tsx'
import { KeyHelp } from './KeyHelp.tsx'
import { OfflineStrip } from './OfflineStrip.tsx'
import { useProfile } from './profile.ts'
import { TabBar } from './TabBar.tsx'
import { TopBar } from './TopBar.tsx'
import { toast } from './toast.ts'
import { UpdatePrompt } from './UpdatePrompt.tsx'
import { UserMenu } from './UserMenu.tsx'
import { VerifyFirst } from './VerifyFirst.tsx'

export function Shell() {
  const { profile, failed } = useProfile()
  // a device that already knows the person goes on with what it knows: only a first fetch that fails ends the session (spec §8)
  const lost = failed !== null && !profile
  useEffect(() => {
    if (!lost) return
    toast({ title: PROFILE.fetch_failed, variant: 'destructive' })
    void getData().signOut()
  }, [lost])
  const organizations = profile?.organizations
  useEffect(() => {
    if (organizations && session.adopt(organizations)) getData().switchContext(null)
  }, [organizations])
  if (!profile) return <LoadingScreen {...LOADING.profile} />
  return (
    <div className="shell">
      <a className="skip" href="#main">
        跳到內容
      </a>
      <TopBar />
      <IdentityBanner />
      <main id="main" className="in-shell">
        <Outlet />
      </main>
      <OfflineStrip />
      <UpdatePrompt />
      <TabBar />
      <UserMenu />
      <VerifyFirst />
      <KeyHelp />
    </div>
  )
}
