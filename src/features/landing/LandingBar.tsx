// The bar of a visitor: where things stand on this page, the theme, and the two ways in.
import { useGo } from '#screen/go.ts'
import { ThemeToggle, Top, TopLinks } from '#screen/Top.tsx'
import { Button } from '#ui/Button.tsx'

const LINKS = [
  { href: '#how', label: '怎麼運作' },
  { href: '#proof', label: '驗證紀錄' },
  { href: '#install', label: '安裝' },
]

export function LandingBar({ signed_in }: { signed_in: boolean }) {
  const { go } = useGo()
  return (
    <Top close logo={{ href: '/', label: '凌波' }}>
      <TopLinks desk label="這一頁" links={LINKS} />
      <span className="sp" />
      <ThemeToggle />
      {signed_in ? (
        <Button kind="filled" {...go('/dashboard')}>
          前往首頁
        </Button>
      ) : (
        <>
          <Button kind="ghost" {...go('/login')}>
            登入
          </Button>
          <Button kind="filled" className="desk" {...go('/login?tab=register')}>
            註冊
          </Button>
        </>
      )}
    </Top>
  )
}
