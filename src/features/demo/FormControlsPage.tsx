// /test-shadcn: the form controls and dialogs alone, without login.

import { useGo } from '#screen/go.ts'
import { ThemeToggle } from '#screen/Top.tsx'
import { Button } from '#ui/Button.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Board } from './gallery/Board.tsx'
import { Choices } from './gallery/Choices.tsx'
import { Fields } from './gallery/Fields.tsx'
import { Overlays } from './gallery/Overlays.tsx'
import { Searched } from './gallery/Searched.tsx'

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
