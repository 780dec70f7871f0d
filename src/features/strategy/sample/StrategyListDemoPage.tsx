// /demo-strategylist: the strategy list as it is, on strategies of nobody, without login. Nothing here reaches the server.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { useWide } from '#screen/browser.ts'
import { useGo } from '#screen/go.ts'
import { preferences } from '#state/preferences.ts'
import { assetOf } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { SearchField } from '#ui/TextField.tsx'
import { arrange, type Filters, tagsOf } from '../list/arrange.ts'
import { StrategyCards } from '../list/StrategyCards.tsx'
import { StrategyTable } from '../list/StrategyTable.tsx'
import { Toolbar } from '../list/Toolbar.tsx'
import css from './StrategyListDemoPage.module.css'
import { SAMPLES } from './samples.ts'

const ALL: Filters = { kind: 'futures', status: '', tag: '', direction: '', search: '', sort: 'last_signal' }
const COUNTS = {
  futures: SAMPLES.filter((one) => assetOf(one) === 'futures').length,
  stock: SAMPLES.filter((one) => assetOf(one) === 'stock').length,
}

export function StrategyListDemoPage() {
  const { privacy } = useSnapshot(preferences)
  const wide = useWide()
  const { go } = useGo()
  const navigate = useNavigate()
  const { view: asked }: { view?: string } = useSearch({ strict: false })
  const view = asked === 'table' ? 'table' : 'card'
  const [filters, setFilters] = useState(ALL)
  const [bells, setBells] = useState<Record<string, boolean>>({})
  const [opened, setOpened] = useState<string | null>(null)
  const items = arrange(SAMPLES, filters)
  const change = (changes: Partial<Filters>) => setFilters({ ...filters, ...changes })
  const bell = {
    on: ({ id, my_notify }: (typeof SAMPLES)[number]) => bells[id] ?? my_notify.enabled,
    tap: ({ id, my_notify }: (typeof SAMPLES)[number]) =>
      setBells({ ...bells, [id]: !(bells[id] ?? my_notify.enabled) }),
  }
  const View = wide && view === 'table' ? StrategyTable : StrategyCards
  const name = SAMPLES.find(({ id }) => id === opened)?.name
  return (
    <div className="page">
      <PageHead title="策略列表示範" meta="和登入後的列表是同一個畫面，資料是範例；在這裡按的都不會送出。">
        <Button size="s" {...go('/demo-strategylist/icons')}>
          圖示
        </Button>
        <Button size="s" {...go('/demo-strategylist/color-test')}>
          色彩
        </Button>
      </PageHead>
      <div className={css.find}>
        <SearchField
          label="搜尋策略"
          placeholder="名稱、商品、代號"
          value={filters.search}
          onChange={(search) => change({ search })}
        />
      </div>
      <Toolbar
        filters={filters}
        change={change}
        counts={COUNTS}
        tags={tagsOf(SAMPLES)}
        view={view}
        onView={(to) =>
          void navigate({
            to: '/demo-strategylist',
            search: to === 'table' ? { view: to } : {},
            replace: true,
          })
        }
      />
      <div
        onClickCapture={(event) => {
          const link =
            event.target instanceof Element ? event.target.closest('a[href^="/strategies/"]') : null
          if (!link) return
          // the samples have no pages of their own
          event.preventDefault()
          event.stopPropagation()
          document.querySelector<HTMLElement>(':popover-open')?.hidePopover()
          setOpened(link.getAttribute('href')?.split('/')[2] ?? null)
        }}
      >
        {items.length > 0 ? (
          <View items={items} bell={bell} masked={privacy} />
        ) : (
          <EmptyState
            card
            title="沒有符合條件的策略"
            action={
              <Button size="s" onClick={() => setFilters({ ...ALL, kind: filters.kind })}>
                清除條件
              </Button>
            }
          >
            換個字，或清除條件再看一次。
          </EmptyState>
        )}
      </div>
      <Dialog
        open={opened !== null}
        onClose={() => setOpened(null)}
        title={name ?? '範例策略'}
        actions={
          <>
            <Button kind="ghost" {...go('/login?tab=register')}>
              建立帳號
            </Button>
            <Button kind="filled" firstFocus onClick={() => setOpened(null)}>
              回到列表
            </Button>
          </>
        }
      >
        這是範例，沒有內頁。自己的策略會在這裡打開訊號、損益和設定。
      </Dialog>
    </div>
  )
}
