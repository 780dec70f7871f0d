/* The first steps of somebody new: what is done, and the next one as the page's main action. */
import type { Dashboard } from '#contract/dashboard.ts'
import type { Strategy } from '#contract/strategy.ts'
import { useGo } from '#screen/go.ts'
import type { StrategyKind } from '#trading/record.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { cx } from '#ui/open.ts'
import { StepMark } from '#ui/Tag.tsx'
import css from './DashboardPage.module.css'

type Step = {
  key: 'email' | 'strategy' | 'webhook' | 'channel' | 'first_signal'
  title: string
  note: string
  verb: string
  href: string
}

type Source = { title: string; note: string; fires: string }

const TRADINGVIEW: Source = {
  title: '接上 TradingView',
  note: '把網址和訊息貼到快訊',
  fires: '觸發一次快訊，看它出現',
}
const SOURCES: Record<StrategyKind, Source> = {
  futures: TRADINGVIEW,
  stock: TRADINGVIEW,
  'xq-stock': {
    title: '接上 XQ',
    note: '把網址填進橋接程式，把腳本貼到 XQ',
    fires: '讓腳本觸發一次，看它出現',
  },
}

/** The steps in order. `strategy` the newest one: where connecting goes on, and from what. */
function steps(strategy: Strategy | undefined): Step[] {
  const connect = strategy
    ? `/strategies/create/${strategy.kind}?connect=${strategy.id}`
    : '/strategies/create'
  const source = strategy ? SOURCES[strategy.kind] : TRADINGVIEW
  return [
    {
      key: 'email',
      title: '驗證電子郵件',
      note: '信裡有六位數的驗證碼',
      verb: '前往驗證',
      href: '/profile?returnTo=/strategies/create&verify=1',
    },
    {
      key: 'strategy',
      title: '建立策略',
      note: '取名字、選商品、填初始資金',
      verb: '建立策略',
      href: '/strategies/create',
    },
    {
      key: 'webhook',
      title: source.title,
      note: source.note,
      verb: '看網址',
      href: connect,
    },
    {
      key: 'channel',
      title: '打開通知',
      note: '鎖著螢幕也收得到',
      verb: '打開通知',
      href: '/signal-notification?tab=setting&channel=push',
    },
    {
      key: 'first_signal',
      title: '收到第一筆訊號',
      note: source.fires,
      verb: '去等訊號',
      href: connect,
    },
  ]
}

/** Nothing once signals come: who does without notifications then is not asked for them for ever. */
export function Checklist({ board }: { board: Dashboard }) {
  const { go } = useGo()
  const all = steps(board.strategies[0])
  const done = all.filter(({ key }) => board.checklist[key]).length
  const next = all.find(({ key }) => !board.checklist[key])
  if (!next || all.every(({ key }) => key === 'channel' || board.checklist[key])) return null
  return (
    <Card
      title="開始使用"
      remark={
        <span className="ink3 num t13">
          {done}／{all.length}
        </span>
      }
      className={css.steps}
    >
      <ol>
        {all.map((step, at) => {
          const ready = board.checklist[step.key]
          return (
            <li
              key={step.key}
              className={cx(step === next && css.next)}
              aria-current={step === next ? 'step' : undefined}
            >
              <StepMark number={at + 1} state={ready ? 'done' : step === next ? 'next' : 'open'} />
              <span className={cx(css.stepWords, 'sp')}>
                <b>{step.title}</b>
                {!ready && <small>{step.note}</small>}
              </span>
              {step === next && (
                <Button size="s" kind="filled" className={css.stepVerb} {...go(step.href)}>
                  {step.verb}
                </Button>
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
