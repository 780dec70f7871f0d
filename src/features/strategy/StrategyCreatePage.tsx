/* /strategies/create: which kind of strategy; each card says in one sentence what it is for and what it needs. */
import { useGo } from '#screen/go.ts'
import { Icon } from '#ui/Icon.tsx'
import { opens } from '#ui/open.ts'
import { PageHead } from '#ui/PageHead.tsx'
import './create.css'

const FUTURES = '/strategies/create/futures'

export function StrategyCreatePage() {
  const { open } = useGo()
  return (
    <div className="page create">
      <PageHead
        title="新增策略"
        back={{ href: '/strategies', label: '策略列表', onOpen: () => open('/strategies') }}
        meta="建立、複製網址、貼到 TradingView，大約兩分鐘。"
      />
      <a className="card kind" href={FUTURES} onClick={opens(() => open(FUTURES))}>
        <Icon name="strategy" size={24} />
        <span className="sp">
          <b>期貨策略</b>
          <span className="kind-text">台指、電子、金融與股票期貨的多空策略，記錄口數、損益與期交稅。</span>
          <span className="kind-needs">需要：策略名稱、商品、初始資金</span>
        </span>
        <Icon name="chevron-right" className="ink3" />
      </a>
    </div>
  )
}
