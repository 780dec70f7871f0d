// The main shell of spec §2: bar on top (desktop) or tabs below (phones); between them the page.
// A page renders <div className="page"> itself, or nothing around it: the shell only keeps the room of its bars free.

import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { type ComponentType, lazy, memo, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { ApiError } from '#contract/errors.ts'
import { getData } from '#data/current.ts'
import { NetworkError } from '#data/failure.ts'
import { type Acting, useDrawn } from '#screen/after-paint.ts'
import { useWide } from '#screen/browser.ts'
import { useLost } from '#screen/Connection.tsx'
import { useCtx, useRecords } from '#screen/data.tsx'
import { useDirty } from '#screen/dirty.ts'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { guard, letInAs } from '#screen/guard.ts'
import { useKeys } from '#screen/keys.ts'
import { verifyFirst } from '#screen/ListActions.tsx'
import { panelHref, useAsks, useOutbox } from '#screen/outbox.ts'
import { actingAs, useAskedProfile, useProfile } from '#screen/profile.ts'
import { leaving } from '#screen/session.ts'
import { switching } from '#screen/switch.ts'
import { toast } from '#screen/toast.ts'
import { applyUpdate, ringing, update } from '#state/install.ts'
import { auth } from '#state/session.ts'
import { failureText } from '#text/errors.ts'
import { serverNow } from '#text/now.ts'
import { LOADING, PROFILE, SIGNED_OUT, VERIFY_FIRST } from '#text/spec.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { StaleNote } from '#ui/EmptyState.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { cx, opens } from '#ui/open.ts'
import { useRootMark } from '#ui/root-mark.ts'
import { LoadingScreen, Skeleton } from '#ui/Skeleton.tsx'
import { Lone } from './AppError.tsx'
import { useTopColour } from './appearance.ts'
import { IdentityBanner, TabBar, TopBar } from './Bars.tsx'
import { followRole } from './identity.ts'
import { useSkeleton } from './Pending.tsx'
import css from './Shell.module.css'
import { UserMenu } from './UserMenu.tsx'

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

// The page between the bars, or what stands there instead: the skeleton while the role is not known, and while a switch leads elsewhere.

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

// Phones: one line over the tabs that says how old everything is while offline, and what waits to be sent. It lies over the page, so that nothing jumps.

export function OfflineStrip() {
  const lost = useLost()
  const { as_of } = useRecords()
  const { open } = useGo()
  const { rows } = useOutbox()
  const asks = useAsks()
  if (!lost && !asks) return null
  return (
    <Strip>
      {lost && <StaleNote word={lost} time={as_of && when(as_of, serverNow())} />}
      {rows.length > 0 && (
        <a href="?panel=outbox" onClick={opens(() => open(panelHref()))}>
          {rows.length} 筆{asks ? '待處理' : '待送'}
        </a>
      )}
    </Strip>
  )
}

function Strip({ children }: { children: ReactNode }) {
  useRootMark('strip')
  return <div className={`${css.OfflineStrip} mob`}>{children}</div>
}

// 新版本已就緒: a card that waits. It reloads only when the person says so, and never over a form that holds something.

export function UpdatePrompt() {
  const { waiting } = useSnapshot(update)
  const [later, setLater] = useState(false)
  return waiting && !later ? <Waiting onLater={() => setLater(true)} /> : null
}

function Waiting({ onLater }: { onLater: () => void }) {
  const { applying } = useSnapshot(update)
  const dirty = useDirty()
  useRootMark('update')
  return (
    <aside className={css.UpdatePrompt} role="status">
      <b>新版本已就緒</b>
      <p>{dirty ? '先把正在填的內容存好，再更新。' : '更新只要一秒，已存下的紀錄都在。'}</p>
      <div className={cx(css.UpdatePromptActions, 'row gap8')}>
        <Button size="s" kind="ghost" onClick={onLater}>
          稍後
        </Button>
        <Button size="s" kind="tint" busy={applying} disabled={dirty} onClick={applyUpdate}>
          更新
        </Button>
      </div>
    </aside>
  )
}

// Opens what belongs to the outbox when it is wanted, each from its own chunk: the panel (?panel=outbox), the question before signing out.

const Panel = lazy(() =>
  import('./outbox/OutboxPanel.tsx').then(({ OutboxPanel }) => ({ default: OutboxPanel })),
)
const Question = lazy(() =>
  import('./outbox/LeaveQuestion.tsx').then(({ LeaveQuestion }) => ({ default: LeaveQuestion })),
)

export function OutboxGate() {
  const { open } = useGo()
  const { asking } = useSnapshot(leaving)
  const shown = useRouterState({
    select: ({ location }) => new URLSearchParams(location.searchStr).get('panel') === 'outbox',
  })
  const close = () => {
    const search = new URLSearchParams(location.search)
    search.delete('panel')
    open(`${location.pathname}${search.size > 0 ? `?${search}` : ''}`, true)
  }
  return (
    <Suspense fallback={null}>
      {shown && <Panel onClose={close} />}
      {asking && <Question />}
    </Suspense>
  )
}

// 請驗證信箱: the dialog of spec §2, once in the shell.

export function VerifyFirst() {
  const { open } = useGo()
  const { asking } = useSnapshot(verifyFirst)
  const verified = useProfile().profile?.email_verified === true
  // A profile kept from before the verification may ask; the fresh one takes the question back.
  useEffect(() => {
    if (verified) verifyFirst.asking = false
  }, [verified])
  const close = () => {
    verifyFirst.asking = false
  }
  return (
    <Dialog
      open={asking && !verified}
      onClose={close}
      title={VERIFY_FIRST.title}
      icon="mail"
      actions={
        <>
          <Button onClick={close}>稍後</Button>
          <Button
            kind="filled"
            firstFocus
            onClick={() => {
              close()
              open('/profile?returnTo=/strategies/create&verify=1')
            }}
          >
            {VERIFY_FIRST.go}
          </Button>
        </>
      }
    >
      <p>{VERIFY_FIRST.text}</p>
    </Dialog>
  )
}

// The profile could not be read and none is on this device (spec §8): the session ends, unless the device is only offline.

/**
 * The profile could not be read anew, and the device has one: nobody is signed out for that, but it is said where they are, once
 * until it can be read again. That nobody answers at all is the connection's to say.
 */
export function useStaleProfile(error: Error | null, refetch: () => Promise<unknown>): void {
  const answered =
    error instanceof ApiError || (error instanceof NetworkError && error.status !== null) ? error : null
  const said = useRef(false)
  const ask = useRef(refetch)
  ask.current = refetch
  useEffect(() => {
    if (!answered || said.current) {
      said.current = answered !== null
      return
    }
    said.current = true
    // its own page says so itself
    if (location.pathname === '/profile') return
    toast({
      title: PROFILE.fetch_failed,
      description: `${failureSentence(answered)}目前顯示的是這支裝置存下的資料。`,
      variant: 'destructive',
      action: { label: '重試', onPick: () => void ask.current() },
    })
  }, [answered])
}

/** `error` why the first profile did not come. */
export function ProfileFailed({ error }: { error: Error }) {
  const { refetch } = useAskedProfile()
  const offline = error instanceof NetworkError && error.kind === 'offline'
  useEffect(() => {
    if (offline) return
    const said = error instanceof ApiError ? (error.details.text ?? '') : failureText(error)
    toast({ title: PROFILE.fetch_failed, ...(said && { description: said }), variant: 'destructive' })
    void getData()
      .signOut()
      .then(() => toast({ title: SIGNED_OUT, icon: 'check' }))
  }, [offline, error])
  if (!offline) return <LoadingScreen {...LOADING.profile} />
  return (
    <Lone
      title="目前離線"
      action={
        <Button kind="filled" onClick={() => void refetch()}>
          重試
        </Button>
      }
    >
      你的資料還沒存到這支裝置。連上網路後就會載入，你仍然登入著。
    </Lone>
  )
}

// ?: the keys of the shell, in words. The shell listens through this part, so that the list and the keys are one.

const KeyList = lazy(() => import('#screen/KeyList.tsx').then(({ KeyList }) => ({ default: KeyList })))
const KeySwitch = lazy(() => import('#screen/KeyList.tsx').then(({ KeySwitch }) => ({ default: KeySwitch })))

export function KeyHelp() {
  const [open, setOpen] = useState(false)
  useKeys(() => setOpen(true))
  const close = () => setOpen(false)
  return (
    <Dialog
      open={open}
      onClose={close}
      title="鍵盤快速鍵"
      actions={
        <Button kind="filled" firstFocus onClick={close}>
          知道了
        </Button>
      }
    >
      {open && (
        <Suspense fallback={null}>
          <KeyList />
          <KeySwitch />
        </Suspense>
      )}
    </Dialog>
  )
}
