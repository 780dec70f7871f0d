// The main shell of spec §2: bar on top (desktop) or tabs below (phones); between them the page.
// A page renders <div className="page"> itself, or nothing around it: the shell only keeps the room of its bars free.
import { type ComponentType, lazy, memo, type ReactNode, Suspense, useState } from 'react'
import { useSnapshot } from 'valtio'
import { useDrawn } from '#screen/after-paint.ts'
import { useWide } from '#screen/browser.ts'
import { guard } from '#screen/guard.ts'
import { useAskedProfile } from '#screen/profile.ts'
import { ringing } from '#state/install.ts'
import { auth } from '#state/session.ts'
import { LOADING } from '#text/spec.ts'
import { LoadingScreen } from '#ui/Skeleton.tsx'
import { useTopColour } from './appearance.ts'
import { IdentityBanner } from './IdentityBanner.tsx'
import { KeyHelp } from './KeyHelp.tsx'
import { OfflineStrip } from './OfflineStrip.tsx'
import { OutboxGate } from './OutboxGate.tsx'
import { ProfileFailed, useStaleProfile } from './ProfileFailed.tsx'
import css from './Shell.module.css'
import { ShellPage } from './ShellPage.tsx'
import { TabBar } from './TabBar.tsx'
import { TopBar } from './TopBar.tsx'
import { UpdatePrompt } from './UpdatePrompt.tsx'
import { UserMenu } from './UserMenu.tsx'
import { VerifyFirst } from './VerifyFirst.tsx'

/** Its code is wanted by few: what does not come is no reason to stand still. */
const PhoneSetup = lazy(
  (): Promise<{ default: ComponentType }> =>
    import('./PhoneSetup.tsx').then(
      (it) => ({ default: it.PhoneSetup }),
      () => ({ default: () => null }),
    ),
)

/** `forced` stands in place of everything while the person has to set a new password first. */
export function Shell({ forced }: { forced?: ReactNode }) {
  const { profile, failed, refetch } = useAskedProfile()
  useStaleProfile(profile ? failed : null, refetch)
  const { waiting } = useSnapshot(guard)
  const { uid } = useSnapshot(auth)
  if (uid === null) return null // signed out a moment ago: the way out is under way
  if (!profile && failed) return <ProfileFailed error={failed} />
  if (!profile && !waiting) return <LoadingScreen {...LOADING.profile} />
  if (forced && profile?.need_force_update_password) return <Suspense fallback={null}>{forced}</Suspense>
  return <Standing />
}

/** Nothing in it depends on what the shell waits for: an answer that comes again draws none of it again. */
const Standing = memo(function Standing() {
  const wide = useWide()
  useTopColour(wide ? 'bar' : 'ground')
  const { asked, open } = useSnapshot(ringing)
  const drawn = useDrawn()
  const [led] = useState(namesRecord)
  // whoever comes for a record sees it first; what lies under its sheet, or is not opened yet, comes a frame later
  const whole = drawn || !led
  return (
    <div className={css.root}>
      <a className={css.skip} href="#main">
        跳到內容
      </a>
      {wide && <TopBar />}
      <IdentityBanner />
      <main id="main" className={css.inShell}>
        <ShellPage />
      </main>
      {whole && (
        <>
          <OfflineStrip />
          <UpdatePrompt />
          {!wide && <TabBar />}
          <UserMenu />
          <VerifyFirst />
          <OutboxGate />
          <KeyHelp />
          {(asked || open) && !wide && (
            <Suspense fallback={null}>
              <PhoneSetup />
            </Suspense>
          )}
        </>
      )}
    </div>
  )
})

/** Whether the address names a record, which opens over the page. */
const namesRecord = () => new URLSearchParams(location.search).has('signal')
