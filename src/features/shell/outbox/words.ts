// The outbox in words: the state of a call, why it stands still, and what can be done with it.
import type { OutboxRow, OutboxState } from '#contract/outbox.ts'
import { lasting } from '#text/time.ts'
import type { IconName } from '#ui/Icon.tsx'

/** wire.md §12. */
export const STATE_LOOKS: Record<
  OutboxState,
  { word: string; icon: IconName; tone: 'quiet' | 'warn' | 'danger' | 'wait' }
> = {
  waiting: { word: '等待連線', icon: 'tray', tone: 'wait' },
  sending: { word: '傳送中', icon: 'send', tone: 'wait' },
  needs_login: { word: '等待登入', icon: 'lock', tone: 'warn' },
  needs_confirm: { word: '等你決定', icon: 'clock', tone: 'warn' },
  failed: { word: '失敗', icon: 'warning', tone: 'danger' },
}

/** One line under the state: what happened, what is safe, what comes next; empty when the state says it all. `behind`: an earlier one of its lane stands still. */
export function reasonOf(row: OutboxRow, behind: boolean, now: number): string {
  const maybe_there = row.attempts > 0 && row.last_status === null
  switch (row.state) {
    case 'failed':
      return `${row.last_text ?? '伺服器沒有接受'}。內容還在這裡，沒有生效。`
    case 'needs_confirm':
      return `放了 ${lasting(now - Date.parse(row.created_at))}，沒有自動送出${maybe_there ? '；可能已送達，再送也不會重複' : ''}。`
    case 'needs_login':
      return '登入已過期，重新登入後自動送出。'
    case 'waiting':
      if (behind) return '排在前一筆後面，前一筆處理好才會送。'
      return row.last_text ? `${row.last_text}。會自動再試。` : ''
    default:
      return ''
  }
}
