// /demo-strategylist/icons: every icon with its name and meaning, searchable; pressing one copies its name.

import { useState } from 'react'
import { useGo } from '#screen/go.ts'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { copyText } from '#ui/CopyButton.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Icon, type IconName } from '#ui/Icon.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { SearchField } from '#ui/TextField.tsx'
import css from './ColorTestPage.module.css'

export function IconsDemoPage() {
  const { go } = useGo()
  const [typed, setTyped] = useState('')
  const wanted = typed.normalize('NFKC').trim().toLowerCase()
  const found = ALL.filter(
    ([name, meaning]) => name.includes(wanted) || meaning.toLowerCase().includes(wanted),
  )
  const copy = async (name: IconName) => {
    const copied = await copyText(name)
    toast({ title: copied ? `已複製 ${name}` : '複製不了，請自行選取', icon: copied ? 'check' : 'info' })
  }
  return (
    <div className="page">
      <PageHead title="圖示" meta={`共 ${ALL.length} 個；按一下複製名稱。`}>
        <Button size="s" {...go('/demo-strategylist')}>
          策略列表示範
        </Button>
      </PageHead>
      <div className={css.IconsDemoPageFind}>
        <SearchField
          label="搜尋圖示"
          placeholder="意思或英文名稱"
          value={typed}
          onChange={setTyped}
          shortcut="/"
        />
      </div>
      <p className="vh" role="status">
        找到 {found.length} 個圖示
      </p>
      {found.length > 0 ? (
        <ul className={css.IconsDemoPageIcons}>
          {found.map(([name, meaning]) => (
            <li key={name}>
              <button type="button" className="card" onClick={() => void copy(name)}>
                <Icon name={name} size={24} className={css.IconsDemoPageIcon} />
                <b>{meaning}</b>
                <span className="mono ink3">{name}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState
          card
          title="沒有這樣的圖示"
          action={
            <Button size="s" onClick={() => setTyped('')}>
              清除搜尋
            </Button>
          }
        >
          換個字試試，例如「通知」或 bell。
        </EmptyState>
      )}
    </div>
  )
}

// What each icon stands for, everywhere.

/** A new icon has no page without its meaning: the type wants them all. */
export const ICON_WORDS: Record<IconName, string> = {
  home: '首頁',
  strategy: '策略',
  people: '組織、成員',
  person: '個人',
  plus: '新增',
  minus: '減少',
  copy: '複製',
  duplicate: '可能重複',
  trash: '刪除',
  edit: '編輯',
  pencil: '補價、更正',
  void: '作廢',
  check: '完成、選中',
  close: '關閉、清除',
  warning: '警告、失敗',
  info: '說明、為什麼不行',
  verified: '紀錄已驗證',
  lock: '鎖住、需要權限',
  clock: '延遲、時間',
  calendar: '日期',
  tray: '待送出',
  send: '送出',
  chat: '對話',
  offline: '離線',
  refresh: '重新整理、重試',
  bell: '通知開',
  'bell-off': '通知關',
  'bell-quiet': '安靜收下',
  mail: '電子郵件',
  megaphone: '公告',
  pin: '置頂',
  search: '搜尋',
  filter: '篩選',
  cards: '卡片檢視',
  rows: '表格檢視',
  more: '更多動作',
  settings: '設定',
  eye: '檢視、顯示',
  'eye-off': '隱藏',
  sun: '切換淺色',
  moon: '切換深色',
  phone: '手機',
  desktop: '電腦',
  swap: '切換身份',
  logout: '登出',
  link: '連結',
  external: '開新分頁',
  share: '分享',
  expand: '全螢幕',
  download: '下載、匯出',
  upload: '上傳、匯入',
  code: '原始訊息、Webhook',
  book: '使用說明',
  image: '圖片',
  pause: '暫停',
  play: '啟用、播放',
  archive: '封存',
  'chevron-down': '展開',
  'chevron-up': '收合',
  'chevron-left': '返回、上一個',
  'chevron-right': '前往、下一個',
  'arrow-up': '往上、有新的',
  'arrow-down': '往下',
  'arrow-right': '前往',
}

const ALL = Object.entries(ICON_WORDS) as [IconName, string][]
