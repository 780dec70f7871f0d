// The catch-all: the address leads nowhere.
import { Button } from '#ui/Button.tsx'
import { useGo } from './go.ts'
import { Lone } from './Lone.tsx'

export function NotFound() {
  const { go } = useGo()
  return (
    <Lone
      title="找不到這個頁面"
      action={
        <Button kind="filled" {...go('/dashboard')}>
          回到首頁
        </Button>
      }
    >
      網址可能打錯了，或這一頁已經不在。你的資料都還在。
    </Lone>
  )
}
