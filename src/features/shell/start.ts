// Starts what one page needs, before the first render: appearance, session, data; after the first paint: the stream and the worker.
import type { AnyRouter } from '@tanstack/react-router'
import { JUST_LOGGED_IN_MS } from '#contract/limits.ts'
import { offerEarly } from '#data/device/store.ts'
import { type ChannelLike, type Data, startData } from '#data/start.ts'
import { patiently, whenIdle } from '#screen/after-paint.ts'
import { prefs, session, storage } from '#screen/device.ts'
import { isSignedIn, withoutOwn } from '#screen/guard.ts'
import { showNews, showUnread, showWaiting } from '#screen/outbox.ts'
import { followElsewhere, whenDrawn } from '#screen/switch.ts'
import { tellCarried } from '#screen/toast.ts'
import { setConnection } from '#state/app.ts'
import { auth } from '#state/session.ts'
import { KEYS } from '#state/storage.ts'
import { serverNow, setServerOffset } from '#text/now.ts'
import { followErrors, tellError } from './app-error.ts'
import { followAppearance } from './appearance.ts'
import { followIdentity } from './identity.ts'

/** Runs the start-up rules of spec §4 and gives the data layer. `router` is where redirects go; `page` resolves when the first page stands. */
export function begin(router: AnyRouter, page: Promise<void>): Data {
  followErrors()
  prefs.start()
  followAppearance()
  session.start()
  setServerOffset(session.clock.offset_ms())
  // the flag of a tab that was closed, or loaded afresh, within its ten seconds
  if (session.just_logged_in()) setTimeout(() => session.clear_just_logged_in(), JUST_LOGGED_IN_MS)
  const search = withoutOwn(location.search)
  if (search !== null) router.history.replace(location.pathname + search + location.hash)
  offerEarly(window.early, auth.uid, page.then(idle))
  const { on_session_elsewhere, ...identity } = followIdentity(router)
  const data = startData({
    base_url: '',
    session,
    storage,
    report: (error, where) => {
      console.warn(where, error)
      tellError(error)
    },
    online: () => navigator.onLine,
    visible: () => document.visibilityState === 'visible',
    on_change,
    locks: 'locks' in navigator ? navigator.locks : null,
    channel: (name) =>
      typeof BroadcastChannel === 'function' ? (new BroadcastChannel(name) as ChannelLike) : null,
    server_clock: {
      ...session.clock,
      learn(offset_ms) {
        session.clock.learn(offset_ms)
        setServerOffset(offset_ms)
      },
    },
    on_connection: (state) => setConnection(state, serverNow()),
    on_waiting: showWaiting,
    on_unread: showUnread,
    on_news: showNews,
    drawing: whenDrawn,
    painted: (task) => requestAnimationFrame(() => setTimeout(task)),
    ...identity,
  })
  setConnection(data.connection.getSnapshot(), serverNow())
  addEventListener('storage', ({ key }) => {
    prefs.start()
    if (key === null || key === KEYS.token || key === KEYS.user) on_session_elsewhere()
    if (isSignedIn() && (key === null || key === KEYS.organization)) followElsewhere()
  })
  void page.then(tellCarried)
  void page.then(idle).then(async () => {
    if (auth.uid !== null) data.begin()
    // the browser tells of its offer once, soon after the load
    patiently(() => import('./install.ts')).then(({ followInstall }) => followInstall(), tellError)
    await idle()
    patiently(() => import('#ui/input-method.ts')).then(
      ({ leaveKeysToInputMethod }) => leaveKeysToInputMethod(),
      tellError,
    )
    firstPointed((at) => {
      patiently(() => import('#ui/tooltip.ts')).then(({ followTooltips }) => followTooltips(at), tellError)
    })
    await idle()
    if (import.meta.env.PROD)
      patiently(() => import('./worker.ts')).then(
        ({ registerWorker }) => registerWorker((path) => router.history.push(path)),
        tellError,
      )
  })
  return data
}

function idle(): Promise<void> {
  return new Promise((done) => {
    whenIdle(done)
  })
}

/** The first thing that is pointed at, or has the focus by keys: who only taps never asks what a key is called. */
function firstPointed(task: (at: Element) => void): void {
  const look = (event: Event) => {
    const { target } = event
    if (!(target instanceof Element)) return
    if (event instanceof PointerEvent ? event.pointerType === 'touch' : !target.matches(':focus-visible'))
      return
    for (const name of ['pointerover', 'focusin']) document.removeEventListener(name, look)
    task(target)
  }
  for (const name of ['pointerover', 'focusin']) document.addEventListener(name, look)
}

function on_change(listener: () => void): () => void {
  const heard: [EventTarget, string][] = [
    [window, 'online'],
    [window, 'offline'],
    [window, 'pageshow'],
    [document, 'visibilitychange'],
  ]
  for (const [target, name] of heard) target.addEventListener(name, listener)
  return () => {
    for (const [target, name] of heard) target.removeEventListener(name, listener)
  }
}
