// /signal-notification: what I was told, how I am told, what became of it, and why something did not come; the tab stands in ?tab=.
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { useGo } from '#screen/go.ts'
import { inbox } from '#screen/outbox.ts'
import { NAV } from '#text/spec.ts'
import { PageHead } from '#ui/PageHead.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { InboxTab } from './inbox/InboxTab.tsx'
import css from './SignalNotificationPage.module.css'
import { Waiting } from './Waiting.tsx'

const SettingTab = lazy(() => import('./setting/SettingTab.tsx').then((it) => ({ default: it.SettingTab })))
const DeliveriesTab = lazy(() =>
  import('./deliveries/DeliveriesTab.tsx').then((it) => ({ default: it.DeliveriesTab })),
)
const WhyTab = lazy(() => import('./why/WhyTab.tsx').then((it) => ({ default: it.WhyTab })))

const at = (tab: string) => `/signal-notification?tab=${tab}`

export function SignalNotificationPage() {
  const { tab } = useSearch({ from: '/_shell/signal-notification' })
  const { unread } = useSnapshot(inbox)
  const { open } = useGo()
  const bar = useRef<HTMLDivElement>(null)
  const tabs = [
    { value: 'inbox', label: '通知', href: at('inbox'), count: unread > 0 ? unread : null, most: 99 },
    { value: 'setting', label: '設定', href: at('setting') },
    { value: 'deliveries', label: '發送紀錄', href: at('deliveries') },
    { value: 'why', label: '為什麼沒收到', href: at('why') },
  ]
  const here = tabs.find(({ value }) => value === tab)?.value ?? 'inbox'
  // phones: the tab that is open must be in sight
  useEffect(() => {
    if (tab !== undefined)
      bar.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [tab])
  return (
    <div className="page">
      <PageHead title={NAV.notifications} />
      <div ref={bar} className={css.tabs}>
        <Tabs label={NAV.notifications} value={here} tabs={tabs} onOpen={({ href }) => open(href, true)} />
      </div>
      <Suspense fallback={<Waiting label="載入中" />}>
        {here === 'inbox' && <InboxTab />}
        {here === 'setting' && <SettingTab />}
        {here === 'deliveries' && <DeliveriesTab />}
        {here === 'why' && <WhyTab />}
      </Suspense>
    </div>
  )
}
