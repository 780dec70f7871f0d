/* The strategies as a table, for wide screens: one line each, figures right-aligned. */
import { useGo } from '#screen/go.ts'
import { DIRECTION_TEXT, TIMEFRAME_TEXT, tradedText } from '#text/strategy.ts'
import { Delta } from '#ui/Delta.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { opens } from '#ui/open.ts'
import { Seal } from '#ui/Seal.tsx'
import type { StrategiesProps } from './StrategyCards.tsx'
import { StrategyMark } from './StrategyMark.tsx'
import { StrategyMenu } from './StrategyMenu.tsx'
import { shownOf } from './shown.ts'
import { UntilMark } from './UntilMark.tsx'

export function StrategyTable({ items, bell, masked, group, today }: StrategiesProps) {
  const { open } = useGo()
  const now = new Date()
  return (
    <div className="card flush">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="tb-scroll" aria-label={`${group ?? '策略列表'}，可左右捲動`} tabIndex={0}>
        <table className="tb st-table">
          <thead>
            <tr>
              <th scope="col">策略名稱</th>
              <th scope="col">商品</th>
              <th scope="col">方向</th>
              <th scope="col">週期</th>
              <th scope="col">目前部位</th>
              <th scope="col" className="n">
                累計淨損益
              </th>
              <th scope="col" className="n">
                報酬率
              </th>
              <th scope="col" className="n">
                勝率
              </th>
              <th scope="col" className="n">
                獲利因子
              </th>
              <th scope="col" className="n">
                最大回撤
              </th>
              <th scope="col" className="n">
                最近訊號
              </th>
              <th scope="col">
                <span className="vh">通知與操作</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((strategy) => {
              const shown = shownOf(strategy, now)
              const href = `/strategies/${strategy.id}`
              const on = bell.on(strategy)
              return (
                <tr key={strategy.id} className={strategy.status === 'active' ? '' : 'dim'}>
                  <th scope="row">
                    <span className="row gap8">
                      <a className="el" href={href} onClick={opens(() => open(href))} title={strategy.name}>
                        {strategy.name}
                      </a>
                      <StrategyMark strategy={strategy} />
                      <UntilMark strategy={strategy} today={today} />
                    </span>
                  </th>
                  <td>{tradedText(strategy)}</td>
                  <td>{DIRECTION_TEXT[strategy.direction]}</td>
                  <td>{strategy.timeframe ? TIMEFRAME_TEXT[strategy.timeframe] : '—'}</td>
                  <td>
                    <span className="row gap6">
                      {shown.seal && <Seal glyph={shown.seal} />}
                      <span className={shown.held === '空手' ? 'ink3' : 'num'}>{shown.held}</span>
                    </span>
                  </td>
                  <td className="n w6">
                    <Delta value={shown.net} masked={masked} />
                  </td>
                  <td className="n">{shown.rate ?? '—'}</td>
                  <td className="n">{shown.win_rate}</td>
                  <td className="n">{shown.profit_factor}</td>
                  <td className="n">{shown.drawdown}</td>
                  <td className="n ink3">{shown.last ?? '—'}</td>
                  <td className="st-acts">
                    <IconButton
                      icon={on ? 'bell' : 'bell-off'}
                      size={18}
                      label={`${strategy.name}：通知${on ? '開' : '關'}`}
                      pressed={on}
                      onClick={() => bell.turn(strategy)}
                    />
                    <StrategyMenu strategy={strategy} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
    </div>
  )
}
