/* /strategies/create: which kind of strategy; each card says in one sentence what it is for and what it needs. */
import { useGo } from '#screen/go.ts'
import { Icon } from '#ui/Icon.tsx'
import { cx, opens } from '#ui/open.ts'
import { PageHead } from '#ui/PageHead.tsx'
import css from './StrategyCreatePage.module.css'

const OFFERED = [
  {
    href: '/strategies/create/futures',
    name: '期貨策略',
    text: '台指、電子、金融與股票期貨的多空策略，記錄口數、損益與期交稅。',
    needs: '策略名稱、商品、初始資金',
  },
  {
    href: '/strategies/create/stock',
    name: '股票策略',
    text: '上市、上櫃的股票與 ETF，記錄張數與零股、損益、手續費與證交稅。',
    needs: '策略名稱、初始資金；可以指定股票，也可以都收',
  },
  {
    href: '/strategies/create/xq-stock',
    name: 'XQ 股票策略',
    text: 'XQ 全球贏家的警示、選股與自動交易，腳本寫出的每一行由橋接程式送來。',
    needs: '策略名稱、XQ 策略名稱、初始資金',
  },
]

export function StrategyCreatePage() {
  const { open } = useGo()
  return (
    <div className={cx(css.root, 'page')}>
      <PageHead
        title="新增策略"
        back={{ href: '/strategies', label: '策略列表', onOpen: () => open('/strategies') }}
        meta="建立、複製網址、接上訊號來源，大約兩分鐘。"
      />
      <div className="stack">
        {OFFERED.map(({ href, name, text, needs }) => (
          <a key={href} className={cx(css.kind, 'card')} href={href} onClick={opens(() => open(href))}>
            <Icon name="strategy" size={24} className={css.icon} />
            <span className="sp">
              <b>{name}</b>
              <span className={css.text}>{text}</span>
              <span className={css.needs}>需要：{needs}</span>
            </span>
            <Icon name="chevron-right" className={`${css.on} ink3`} />
          </a>
        ))}
      </div>
    </div>
  )
}
