// /signal-notification: what I was told, and how I am told; the tab stands in ?tab=, why something did not come is a part of 設定.
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { useGo } from '#screen/go.ts'
import { inbox } from '#screen/outbox.ts'
import { NAV } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { InboxTab } from './inbox/InboxTab.tsx'
import css from './SignalNotificationPage.module.css'
import { Waiting } from './Waiting.tsx'

const SettingTab = lazy(() => import('./setting/SettingTab.tsx').then((it) => ({ default: it.SettingTab })))
const WhyTab = lazy(() => import('./why/WhyTab.tsx').then((it) => ({ default: it.WhyTab })))

const at = (tab: string) => `/signal-notification?tab=${tab}`
/** What addresses of before lead to: 發送紀錄 stands under 為什麼沒收到. */
const PARTS: Record<string, 'inbox' | 'setting' | 'why'> = {
  setting: 'setting',
  why: 'why',
  deliveries: 'why',
}

export function SignalNotificationPage() {
  const { tab = 'inbox' } = useSearch({ from: '/_shell/signal-notification' })
  const { unread } = useSnapshot(inbox)
  const { open, go } = useGo()
  const part = PARTS[tab] ?? 'inbox'
  const tabs = [
    { value: 'inbox', label: '收件匣', href: at('inbox'), count: unread > 0 ? unread : null, most: 99 },
    { value: 'setting', label: '設定', href: at('setting') },
  ]
  if (part === 'why')
    return (
      <div className="page">
        <PageHead
          title="為什麼沒收到"
          back={{ href: at('setting'), label: '設定', onOpen: () => open(at('setting')) }}
        />
        <Suspense fallback={<Waiting label="載入中" />}>
          <WhyTab />
        </Suspense>
      </div>
    )
  return (
    <div className="page">
      <PageHead title={NAV.notifications}>
        <Button size="s" {...go(at('why'))}>
          為什麼沒收到
        </Button>
      </PageHead>
      <div className={css.tabs}>
        <Tabs label={NAV.notifications} value={part} tabs={tabs} onOpen={({ href }) => open(href, true)} />
      </div>
      {part === 'inbox' ? (
        <InboxTab />
      ) : (
        <Suspense fallback={<Waiting label="載入中" />}>
          <SettingTab />
        </Suspense>
      )}
    </div>
  )
}
