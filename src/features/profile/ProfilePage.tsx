// /profile: the account at the left, its devices at the right; what a person rarely needs is folded under them.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { NetworkError } from '#data/failure.ts'
import { accountMutations } from '#data/nouns/account.ts'
import { usageQueries } from '#data/nouns/organization.ts'
import { saveFile, useWide } from '#screen/browser.ts'
import { Connection } from '#screen/Connection.tsx'
import { prefs } from '#screen/device.ts'
import { useGo } from '#screen/go.ts'
import { isCarried, PushDevices, useNeverRang } from '#screen/PushDevices.tsx'
import { useAskedProfile } from '#screen/profile.ts'
import { signOut } from '#screen/session.ts'
import { toast } from '#screen/toast.ts'
import { UsageCard } from '#screen/UsageCard.tsx'
import { ringing } from '#state/install.ts'
import { preferences } from '#state/preferences.ts'
import { failureText } from '#text/errors.ts'
import { NAV, PROFILE } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { Card, Sides } from '#ui/Card.tsx'
import { Banner } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Segments } from '#ui/Segments.tsx'
import { EmailCard } from './EmailCard.tsx'
import { NameCard } from './NameCard.tsx'
import { PasswordCard, PasswordDialog, usePassword } from './PasswordForm.tsx'
import css from './ProfilePage.module.css'
import { ConnectedAppsCard, SessionsCard } from './SessionsCard.tsx'
import { StorageCard } from './StorageCard.tsx'

export function ProfilePage() {
  const { profile, failed, refetch } = useAskedProfile()
  const { verify }: { verify?: unknown } = useSearch({ strict: false })
  if (!profile) return null // the shell shows the loading screen until it is here
  // what is kept stays on the screen; being offline is said by the connection's own badge
  const stale = failed && !(failed instanceof NetworkError && failed.kind === 'offline')
  const email = (
    <EmailCard
      email={profile.email}
      verified={profile.email_verified}
      has_password={profile.has_password}
      verification={profile.verification}
    />
  )
  // ?verify: who comes for that sees that alone
  if (verify !== undefined && !profile.email_verified)
    return (
      <div className="page">
        <PageHead title="驗證信箱" />
        {email}
      </div>
    )
  return (
    <div className="page">
      <PageHead title="個人設定">
        <span className="mob">
          <Connection short />
        </span>
      </PageHead>
      <div className="stack">
        {stale && (
          <Banner
            tone="warn"
            icon="warning"
            action={
              <Button size="s" onClick={() => void refetch()}>
                重試
              </Button>
            }
          >
            {PROFILE.read_failed}：{failureText(failed)}
          </Banner>
        )}
        <Sides>
          <div className="stack">
            <NameCard name={profile.name} avatar={profile.avatar} />
            {email}
            <PasswordCard has_password={profile.has_password} />
            <AppearanceCard />
          </div>
          <div className="stack">
            <PushCard />
            <SessionsCard has_password={profile.has_password} />
            <StorageCard />
            <SignOutCard />
          </div>
        </Sides>
        <details className={css.rare}>
          <summary>
            <span className="sp">應用程式、空間、匯出、刪除帳號</span>
            <Icon name="chevron-down" size={18} className="ink3" />
          </summary>
          <Sides>
            <div className="stack">
              <ConnectedAppsCard />
              <ExportCard />
              <DeleteCard has_password={profile.has_password} />
            </div>
            <QuotaCard />
          </Sides>
        </details>
      </div>
    </div>
  )
}

// How it looks: theme, and which colour rises.

const THEMES = [
  { value: 'light', label: '淺色' },
  { value: 'dark', label: '深色' },
  { value: 'system', label: '跟隨系統' },
] as const
const COLOURS = [
  { value: 'red', label: '紅漲綠跌' },
  { value: 'green', label: '綠漲紅跌' },
] as const

export function AppearanceCard() {
  const { ui_theme, up_colour } = useSnapshot(preferences)
  return (
    <Card title="外觀" pad>
      <div className={css.AppearanceCardChoiceRow}>
        <span>主題</span>
        <Segments label="主題" value={ui_theme} options={THEMES} onChange={prefs.set_theme} tall />
      </div>
      <div className={css.AppearanceCardChoiceRow}>
        <span>
          漲跌顏色
          <small className={css.AppearanceCardUpdown}>
            <Delta value={1060} /> <Delta value={-860} />
          </small>
        </span>
        <Segments label="漲跌顏色" value={up_colour} options={COLOURS} onChange={prefs.set_up_colour} tall />
      </div>
    </Card>
  )
}

// 匯出我的資料: everything that is the person's, as one file.

export function ExportCard() {
  const fetch = useMutation({
    ...accountMutations.export(),
    onSuccess: (file) => {
      saveFile(file)
      toast({ title: `已匯出 ${file.filename}`, icon: 'check' })
    },
    onError: (error) => toast({ title: '沒有匯出', description: failureText(error), variant: 'destructive' }),
  })
  return (
    <Card title="匯出我的資料" pad>
      <div className="row gap12">
        <p className="sp t13 ink3">
          個人資料、登入紀錄、策略、訊息與完整的訊號紀錄，一個 JSON 檔；不含密碼與網址密鑰。
        </p>
        <Button size="s" icon="download" busy={fetch.isPending} onClick={() => fetch.mutate()}>
          匯出
        </Button>
      </div>
    </Card>
  )
}

// Signing out: everything leaves this device.

export function SignOutCard() {
  const [busy, setBusy] = useState(false)
  return (
    <Card label={NAV.logout} pad>
      <div className="row gap12">
        <p className="sp t13 ink3">登出後，這支裝置上的訊號與設定會一併清除，其他裝置不受影響。</p>
        <Button
          icon="logout"
          busy={busy}
          onClick={() => {
            setBusy(true)
            void signOut().finally(() => setBusy(false))
          }}
        >
          {NAV.logout}
        </Button>
      </div>
    </Card>
  )
}

// What of the person's own room on the server is taken.

export function QuotaCard() {
  return <UsageCard account query={useQuery(usageQueries.mine())} whose="你個人與你帶領的組織合計。" />
}

// 收推播的裝置: this one and the others; how and what else stands in 訊號通知. A phone that never rang is led to it from here.

export function PushCard() {
  const { go } = useGo()
  const phone = !useWide() && isCarried()
  const never = useNeverRang(phone)
  return (
    <Card
      title="收推播的裝置"
      flush
      action={
        never ? (
          <Button size="s" kind="filled" icon="bell" onClick={() => Object.assign(ringing, { open: true })}>
            讓手機響一次
          </Button>
        ) : (
          <Button size="s" {...go('/signal-notification?tab=setting&channel=push')}>
            設定這支裝置
          </Button>
        )
      }
    >
      <PushDevices empty="還沒有裝置打開推播。" />
    </Card>
  )
}

// 刪除帳號: what goes, what stays, the password once more.

export function DeleteCard({ has_password }: { has_password: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <Card title="刪除帳號" pad>
      <div className="row gap12">
        <p className="sp t13 ink3">帳號、個人策略與訊號紀錄會全部刪除，無法復原。</p>
        <Button size="s" kind="danger" icon="trash" onClick={() => setOpen(true)}>
          刪除帳號
        </Button>
      </div>
      {open && <DeleteDialog has_password={has_password} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function DeleteDialog({ has_password, onClose }: { has_password: boolean; onClose: () => void }) {
  const state = usePassword(async (typed) => {
    await accountMutations.remove().mutationFn(typed)
    toast({ title: '帳號已刪除', description: '這支裝置上的資料也清除了。', icon: 'check' })
  })
  return (
    <PasswordDialog
      {...state}
      verb="刪除帳號"
      icon="trash"
      danger
      has_password={has_password}
      then="回來刪除"
      onClose={onClose}
      always={
        <ul className={css.DeleteCardList}>
          <li>個人策略、訊號紀錄、通知設定與頭像會刪除，無法復原。</li>
          <li>Webhook 網址立刻停用，之後送來的訊號都不會收下。</li>
          <li>所有裝置登出；想留一份，請先匯出我的資料。</li>
          <li>你在組織裡建立的策略與紀錄屬於組織，會留下，但不再有你的名字。</li>
        </ul>
      }
    />
  )
}
