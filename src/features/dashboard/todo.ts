// Words of what waits for the person.
import type { Dashboard } from '#contract/dashboard.ts'
import type { IconName } from '#ui/Icon.tsx'

type Todo = Dashboard['todos'][number]
/** One line of the list; `tone` brand waits for the person, warn is wrong. */
export type TodoLine = {
  kind: string
  icon: IconName
  tone: 'warn-ink' | 'brand-ink' | 'ink3'
  title: string
  note: string
  link: string
}

const LINES: Record<Todo['kind'], (count: number) => Omit<TodoLine, 'kind' | 'link'>> = {
  verify_email: () => ({
    icon: 'mail',
    tone: 'brand-ink',
    title: '電子郵件還沒驗證',
    note: '驗證後才能建立策略',
  }),
  bind_telegram: () => ({
    icon: 'send',
    tone: 'ink3',
    title: '還沒綁定 Telegram',
    note: '收不到時的第二條路',
  }),
  invites: (count) => ({
    icon: 'people',
    tone: 'ink3',
    title: `${count} 個組織邀請`,
    note: '接受後才看得到組織的策略',
  }),
  join_requests: (count) => ({
    icon: 'people',
    tone: 'brand-ink',
    title: `${count} 份加入申請`,
    note: '等你審核',
  }),
  asks_short: (count) => ({
    icon: 'warning',
    tone: 'warn-ink',
    title: count > 1 ? `${count} 個策略等你回答做不做空` : '這個策略做空嗎？',
    note: '做空的訊號收下了，回答後才算部位與損益',
  }),
  pending_price: (count) => ({
    icon: 'warning',
    tone: 'warn-ink',
    title: `${count} 筆訊號待補價`,
    note: '補上前不計入損益',
  }),
  price_suspect: (count) => ({
    icon: 'warning',
    tone: 'warn-ink',
    title: `${count} 筆訊號價格可疑`,
    note: '確認或更正後才會算損益',
  }),
  position_gap: (count) => ({
    icon: 'warning',
    tone: 'warn-ink',
    title: count > 1 ? `${count} 個策略部位不一致` : '部位不一致',
    note: '來源回報的部位和這裡不同，可能漏收訊號',
  }),
  held: (count) => ({
    icon: 'clock',
    tone: 'warn-ink',
    title: count > 1 ? `${count} 種新格式等你確認` : '新格式等你確認',
    note: '看過一次，以後就直接收下',
  }),
  rejected: (count) => ({
    icon: 'close',
    tone: 'warn-ink',
    title: `${count} 則訊息沒收下`,
    note: '24 小時內，看原因就能修',
  }),
  silent: (count) => ({
    icon: 'clock',
    tone: 'warn-ink',
    title: count > 1 ? `${count} 個策略太久沒收到訊號` : '太久沒收到訊號',
    note: '請確認來源平台的快訊還在執行',
  }),
  missing: (count) => ({
    icon: 'warning',
    tone: 'warn-ink',
    title: count > 1 ? `${count} 個策略的序號有缺` : '序號有缺',
    note: '可能漏收訊號，請在來源平台確認',
  }),
  expiring: (count) => ({ icon: 'clock', tone: 'warn-ink', title: `${count} 位成員快到期`, note: '7 天內' }),
}

/** The lines in the server's order; what a newer server asks for that this page does not know is left out. */
export function todoLines(todos: readonly Todo[]): TodoLine[] {
  const known: Partial<typeof LINES> = LINES
  return todos.flatMap(({ kind, count, link }) => {
    const line = known[kind]?.(count)
    return line ? [{ kind, link, ...line }] : []
  })
}
