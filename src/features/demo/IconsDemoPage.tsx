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
import css from './IconsDemoPage.module.css'
import { ICON_WORDS } from './icon-words.ts'

const ALL = Object.entries(ICON_WORDS) as [IconName, string][]

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
      <div className={css.find}>
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
        <ul className={css.icons}>
          {found.map(([name, meaning]) => (
            <li key={name}>
              <button type="button" className="card" onClick={() => void copy(name)}>
                <Icon name={name} size={24} className={css.icon} />
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
