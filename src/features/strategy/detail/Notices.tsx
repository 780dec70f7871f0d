/* What the person must know before reading on: paused, archived, access that ends, warnings with what to do. */
import type { ReactNode } from 'react'
import { daysLeft, EXPIRING_DAYS } from '#contract/access.ts'
import type { Strategy } from '#contract/strategy.ts'
import { useGo } from '#screen/go.ts'
import { ymd } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { taipei } from '#text/time.ts'
import { missingWords } from '#trading/sender-count.ts'
import { Button } from '#ui/Button.tsx'
import { Banner } from '#ui/EmptyState.tsx'
import type { IconName } from '#ui/Icon.tsx'
import css from '../StrategyDetailPage.module.css'

/** `tab` where it is dealt with, and so shown anyway. */
type Notice = {
  key: string
  tone: 'neutral' | 'warn'
  icon: IconName
  text: string
  tab?: 'settings' | 'overview' | 'signals'
  /** What of the tab is meant. */
  search?: string
  verb?: string
}

function noticesOf(strategy: Strategy): Notice[] {
  const { status, access, warnings, pending_price_count, price_suspect_count, missing_numbers } = strategy
  const { held_format_id } = strategy
  const found: Notice[] = []
  if (status === 'paused')
    found.push({
      key: 'paused',
      tone: 'neutral',
      icon: 'pause',
      text: '策略暫停中：訊號照常記錄並標示，不通知任何人。',
    })
  if (status === 'archived')
    found.push({
      key: 'archived',
      tone: 'neutral',
      icon: 'archive',
      text: '策略已封存：Webhook 不再收訊號。',
    })
  if (access?.valid_until)
    found.push({
      key: 'access',
      // a day months ahead is no warning, as in the lists of members
      tone: daysLeft(access.valid_until, taipei(serverNow()).day) <= EXPIRING_DAYS ? 'warn' : 'neutral',
      icon: 'calendar',
      text: `可檢視至 ${ymd(access.valid_until)}。`,
    })
  if (warnings.includes('expired'))
    found.push({
      key: 'expired',
      tone: 'warn',
      icon: 'calendar',
      text: '契約已經到期，部位還沒有平倉。填入最後結算價就能結清。',
      tab: 'overview',
      search: '&part=positions',
    })
  if (warnings.includes('position_gap'))
    found.push({
      key: 'gap',
      tone: 'warn',
      icon: 'warning',
      text: '部位與來源回報的不一致，可能漏收訊號。',
      tab: 'overview',
      search: '&part=positions',
    })
  if (warnings.includes('held'))
    found.push({
      key: 'held',
      tone: 'warn',
      icon: 'clock',
      text: '新格式等你確認。看過一次，以後就直接收下。',
      tab: 'settings',
      ...(held_format_id && { search: `&format=${held_format_id}` }),
      verb: '去確認',
    })
  if (warnings.includes('rejected'))
    found.push({
      key: 'rejected',
      tone: 'warn',
      icon: 'warning',
      text: '有訊息沒有收下。打開接收紀錄看原因，修正後可以重新解析。',
      tab: 'settings',
      search: '&outcome=rejected',
    })
  if (warnings.includes('pending_price'))
    found.push({
      key: 'price',
      tone: 'warn',
      icon: 'info',
      text: `${pending_price_count} 筆訊號沒有價格，相關損益暫不計入。`,
    })
  if (warnings.includes('price_suspect'))
    found.push({
      key: 'suspect',
      tone: 'warn',
      icon: 'warning',
      text: `${price_suspect_count} 筆訊號的價格可疑，損益暫不計入。請確認或更正。`,
      tab: 'signals',
      search: '&state=price_suspect',
    })
  if (warnings.includes('missing'))
    found.push({
      key: 'missing',
      tone: 'warn',
      icon: 'warning',
      text: `少了第 ${(missing_numbers ?? []).map(({ numbers }) => missingWords(numbers)).join('、')} 則訊息，可能漏收訊號。請在來源平台確認，或手動補登。`,
      tab: 'settings',
    })
  if (warnings.includes('silent'))
    found.push({
      key: 'silent',
      tone: 'warn',
      icon: 'clock',
      text: '太久沒收到訊號。請確認來源平台的快訊還在執行。',
      tab: 'settings',
    })
  if (warnings.includes('no_webhook'))
    found.push({
      key: 'webhook',
      tone: 'warn',
      icon: 'link',
      text: '還沒有可用的 Webhook，收不到訊號。',
      tab: 'settings',
    })
  return found
}

/** `at` the tab that is open: what it shows anyway is not said twice. */
export function Notices({ strategy, at }: { strategy: Strategy; at: string }): ReactNode {
  const { go } = useGo()
  const may_edit = strategy.can.includes('edit')
  const notices = noticesOf(strategy).filter(({ tab }) => tab !== at)
  if (notices.length === 0) return null
  return (
    <div className={css.Notices}>
      {notices.map((notice) => (
        <Banner
          key={notice.key}
          tone={notice.tone}
          icon={notice.icon}
          action={
            notice.tab &&
            may_edit && (
              <Button size="s" {...go(`/strategies/${strategy.id}?tab=${notice.tab}${notice.search ?? ''}`)}>
                {notice.verb ?? '去看看'}
              </Button>
            )
          }
        >
          {notice.text}
        </Banner>
      ))}
    </div>
  )
}
