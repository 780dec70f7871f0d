// /component-demo: every shared part in every state, in both themes and widths. `part` in the address leads to one.

import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { useGo } from '#screen/go.ts'
import { ThemeToggle } from '#screen/Top.tsx'
import { preferences } from '#state/preferences.ts'
import { Button } from '#ui/Button.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Segments } from '#ui/Segments.tsx'
import css from './ComponentDemoPage.module.css'
import { Actions, Overlays } from './gallery/Actions.tsx'
import { Choices, Fields, Searched } from './gallery/Fields.tsx'
import { Board } from './gallery/Part.tsx'
import { Signals } from './gallery/Signals.tsx'
import { Numbers, States } from './gallery/States.tsx'

const GROUPS = [
  { key: 'actions', label: '按鍵與移動', first: 'Button', Group: Actions },
  { key: 'fields', label: '輸入', first: 'TextField', Group: Fields },
  { key: 'choices', label: '選擇', first: 'Switch', Group: Choices },
  { key: 'searched', label: '查找與日期', first: 'DateField', Group: Searched },
  { key: 'numbers', label: '數字與標記', first: 'Delta', Group: Numbers },
  { key: 'signals', label: '訊號與策略', first: 'SignalRow', Group: Signals },
  { key: 'states', label: '狀態與版面', first: 'EmptyState', Group: States },
  { key: 'overlays', label: '視窗與選單', first: 'Dialog', Group: Overlays },
]

export function ComponentDemoPage() {
  const { theme_mode } = useSnapshot(preferences)
  const [theme, setTheme] = useState<'light' | 'dark'>(theme_mode)
  const [width, setWidth] = useState<'wide' | 'narrow'>('wide')
  const { part }: { part?: string } = useSearch({ strict: false })
  useEffect(() => setTheme(theme_mode), [theme_mode])
  useEffect(() => {
    if (part) document.getElementById(part)?.scrollIntoView()
  }, [part])
  return (
    <div className="page">
      <PageHead title="元件展示" meta="每個共用元件的每種狀態；網址加 #元件名稱 可以直接到那一個。" />
      <div className={css.bar}>
        <Segments
          label="展示的主題"
          tall
          value={theme}
          onChange={setTheme}
          options={[
            { value: 'light', label: '淺色' },
            { value: 'dark', label: '深色' },
          ]}
        />
        <Segments
          label="展示的寬度"
          tall
          value={width}
          onChange={setWidth}
          options={[
            { value: 'wide', label: '寬' },
            { value: 'narrow', label: '窄（390 px）' },
          ]}
        />
      </div>
      <nav className={css.groups} aria-label="元件分類">
        {GROUPS.map(({ key, label, first }) => (
          <a key={key} href={`#${first}`}>
            {label}
          </a>
        ))}
      </nav>
      <Board theme={theme} narrow={width === 'narrow'}>
        {GROUPS.map(({ key, Group }) => (
          <Group key={key} />
        ))}
      </Board>
    </div>
  )
}

// /test-shadcn: the form controls and dialogs alone, without login.

export function FormControlsPage() {
  const { go } = useGo()
  return (
    <main className="page">
      <PageHead title="表單元件" meta="輸入、選擇和視窗，不用登入就能試；這裡的內容不會送出，也不會留下。">
        <ThemeToggle />
        <Button {...go('/demo-strategylist')}>看策略列表示範</Button>
      </PageHead>
      <Board>
        <Fields />
        <Choices />
        <Searched />
        <Overlays />
      </Board>
    </main>
  )
}
