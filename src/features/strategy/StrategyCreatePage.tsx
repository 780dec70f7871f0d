/* /strategies/create: which kind of strategy; each card says in one sentence what it is for. */
import { useGo } from '#screen/go.ts'
import { Icon } from '#ui/Icon.tsx'
import { cx, opens } from '#ui/open.ts'
import { PageHead } from '#ui/PageHead.tsx'
import css from './StrategyCreatePage.module.css'

const OFFERED = [
  {
    href: '/strategies/create/futures',
    name: '期貨策略',
    text: '做台指、小台、微台或股票期貨：一個策略一個商品，多空都能做，算口數、點數與期交稅。',
  },
  {
    href: '/strategies/create/stock',
    name: '股票策略',
    text: '做上市、上櫃的股票與 ETF：一個策略可以有很多檔，算張數、零股、手續費與證交稅。',
  },
  {
    href: '/strategies/create/xq-stock',
    name: 'XQ 股票策略',
    text: 'XQ 的警示、選股或自動交易選出來的股票：橋接程式即時送來，或匯入 XQ 匯出的檔案。',
  },
]

export function StrategyCreatePage() {
  const { open } = useGo()
  return (
    <div className={cx(css.root, 'page')}>
      <PageHead
        title="新增策略"
        back={{ href: '/strategies', label: '策略列表', onOpen: () => open('/strategies') }}
        meta="填個名稱就能建立，其他都有預設。"
      />
      <div className="stack">
        {OFFERED.map(({ href, name, text }) => (
          <a key={href} className={cx(css.kind, 'card')} href={href} onClick={opens(() => open(href))}>
            <Icon name="strategy" size={24} className={css.icon} />
            <span className="sp">
              <b>{name}</b>
              <span className={css.text}>{text}</span>
            </span>
            <Icon name="chevron-right" className={`${css.on} ink3`} />
          </a>
        ))}
      </div>
    </div>
  )
}
