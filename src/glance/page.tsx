// A first page drawn from the server's first answers, before the application runs: by the application's own components, for which
// elements.ts and libraries.ts give what React and the libraries would (docs/decisions/first-visit.md).
import type { ReactNode } from 'react'
import { may, type Permission } from '#contract/permissions.ts'
import type { Profile } from '#contract/profile.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Ctx } from '#data/context.ts'
import { type Data, setData } from '#data/current.ts'
import { createSignals, setNewest } from '#data/device/signals.ts'
import type { Early } from '#data/device/store.ts'
import { keyOfPath } from '#data/keys.ts'
import { IdentityBanner, TabBar, TopBar } from '#features/shell/Bars.tsx'
import shell from '#features/shell/Shell.module.css'
import { useWide } from '#screen/browser.ts'
import { prefs, session, storage } from '#screen/device.ts'
import { identityOf } from '#screen/profile.ts'
import { setServerOffset } from '#text/now.ts'
import { mount } from './elements.ts'
import { answersOf, judge } from './judge.ts'
import { answer, answerTo } from './libraries.ts'
import { carryPresses, dressed, stage } from './stage.ts'

const PROFILE = '/user/profile'
const RECORDS = '/signals?'

/** What the components ask of the data layer: the answers, and nothing that happens. */
function restAt(ctx: Ctx): void {
  const still = { subscribe: () => () => undefined }
  const state = (key: readonly unknown[]) => ({ data: answerTo(key), dataUpdatedAt: 0, status: 'success' })
  setData({
    query: { getQueryState: state, getQueryData: answerTo, getQueryCache: () => still },
    outbox: { ...still, getSnapshot: () => ({ rows: [], receipts: [] }) },
    connection: { ...still, getSnapshot: () => 'reconnecting' },
    signals: createSignals(ctx),
    ctx: () => ctx,
    now: () => Date.now() + session.clock.offset_ms(),
  } as unknown as Data)
}

/** The lines of a list stand where their heights put them: how high they are is known once they are there. */
function stack(drawn: HTMLElement): void {
  for (const list of drawn.querySelectorAll<HTMLElement>('[data-window] > ul')) {
    let place = 0
    const lines = [...list.children].filter((one) => one instanceof HTMLElement)
    const heights = lines.map(({ offsetHeight }) => offsetHeight)
    lines.forEach((line, at) => {
      if (line.style.transform) line.style.transform = `translateY(${place}px)`
      place += heights[at] ?? 0
    })
    list.style.height = `${place}px`
  }
}

/** The page between the bars, as the shell has it. */
function Standing({ Page }: { Page: () => ReactNode }) {
  const wide = useWide()
  return (
    <div className={shell['root']}>
      {wide && <TopBar />}
      <IdentityBanner />
      <main id="main" className={shell['inShell']}>
        <Page />
      </main>
      {!wide && <TabBar />}
    </div>
  )
}

async function draw(early: Early, Page: () => ReactNode, permission?: Permission): Promise<void> {
  const [answers, rows] = await Promise.all([answersOf(early.asked), early.rows, dressed()])
  const root = stage()
  // asked in whose name, and in whose name the application will ask: judged when it is drawn, not when it was asked
  const judged = judge(early.uid, storage, Date.now, location.search)
  const profile = answers?.get(PROFILE) as Profile | undefined
  if (!root || !judged?.asked(early.asked) || !answers || !profile || !judged.shows(judged.ctx)) return
  if (profile.need_force_update_password) return
  if (permission && !may(identityOf(judged.org_id, profile), permission)) return

  session.resume()
  prefs.start()
  setServerOffset(session.clock.offset_ms())
  let records: readonly SignalRecord[] = (rows?.ctx === judged.ctx && rows.first?.records) || []
  for (const [path, result] of answers) {
    const key = keyOfPath(path, judged.ctx)
    if (key) answer(key, result)
    if (path.startsWith(RECORDS)) records = (result as { items: SignalRecord[] }).items
  }
  // what the page is about is on its way still
  if (answers.size === 1 && records.length === 0) return
  setNewest(judged.ctx, records)
  restAt(judged.ctx)
  const drawn = document.createElement('div')
  drawn.dataset['glance'] = ''
  mount(<Standing Page={Page} />, drawn)
  // what is chosen or typed in a field would be lost: a field waits for the application
  for (const field of drawn.querySelectorAll('input, select, textarea'))
    field.toggleAttribute('disabled', true)
  root.replaceChildren(drawn)
  stack(drawn)
  carryPresses(root, drawn)
}

/** `Page` as its route has it, and the `permission` it takes there. Without all this the page stands when the application does. */
export function drawPage(Page: () => ReactNode, permission?: Permission): void {
  if (window.early)
    draw(window.early, Page, permission).catch((error: unknown) => console.warn('glance', error))
}
