/* The strategies as a table, for wide screens: one line each, figures right-aligned. */

import { type CSSProperties, memo, type ReactNode, type Ref, useMemo, useRef } from 'react'
import { getData } from '#data/current.ts'
import { useGo } from '#screen/go.ts'
import { serverNow, serverNowIso } from '#text/now.ts'
import { DIRECTION_TEXT, TIMEFRAME_TEXT, tradedText } from '#text/strategy.ts'
import { taipeiDay } from '#trading/calendar.ts'
import { Table } from '#ui/Card.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Delta, Seal } from '#ui/nouns/Delta.tsx'
import { cx, opens } from '#ui/open.ts'
import css from '../StrategyListPage.module.css'
import { type LongProps, linesOf, shownOf } from './arrange.ts'
import type { OneCardProps, StrategiesProps } from './StrategyCards.tsx'
import { GroupHead, StrategyMark, StrategyMenu, UntilMark } from './StrategyMenu.tsx'
import { useLong } from './use-strategies.ts'

/** `children` the rows, where they are not drawn all; then `rows` says how many there are. */
export type StrategyTableProps = StrategiesProps & { children?: ReactNode; rows?: number }

export function StrategyTable({ items, bell, masked, group, today, children, rows }: StrategyTableProps) {
  const label = `${group ?? '策略列表'}，可左右捲動`
  return (
    <div className="card flush">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className={css.StrategyTableScroll} aria-label={label} tabIndex={0}>
        <Table className={css.StrategyTableTable} {...(rows !== undefined && { 'aria-rowcount': rows + 1 })}>
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
            {children ??
              items.map((strategy) => (
                <TableRow key={strategy.id} strategy={strategy} bell={bell} masked={masked} today={today} />
              ))}
          </tbody>
        </Table>
      </section>
    </div>
  )
}

/* One strategy as a line of the table. Drawn again only when it or its bell changes. */

export const COLUMNS = 12

/** In a table that is not drawn whole: `place` from 0, `line` with the heads of groups, `box` to be measured; `out` keeps it for its focus, out of sight. */
export type TableRowProps = Omit<OneCardProps, 'of'> & {
  line?: number
  box?: Ref<HTMLTableRowElement>
  out?: boolean
}

export const TableRow = memo(function TableRow(props: TableRowProps) {
  const { strategy, place, line, bell, masked, today, box, out = false } = props
  const { open } = useGo()
  const placed = place === undefined ? {} : { 'data-index': line, 'aria-rowindex': place + 2 }
  if (!strategy)
    return (
      <tr ref={box} {...placed}>
        <th scope="row" colSpan={COLUMNS}>
          <span className="vh">載入中</span>
        </th>
      </tr>
    )
  const shown = shownOf(strategy, new Date(serverNow()))
  const href = `/strategies/${strategy.id}`
  const on = bell.on(strategy)
  return (
    <tr
      ref={box}
      className={out ? 'vh' : undefined}
      data-dim={strategy.status === 'active' ? undefined : true}
      {...placed}
    >
      <th scope="row">
        <span className="row gap8">
          <a
            className={cx(css.TableRowName, 'el')}
            href={href}
            onClick={opens(() => open(href))}
            title={strategy.name}
          >
            {strategy.name}
          </a>
          <StrategyMark strategy={strategy} />
          <UntilMark strategy={strategy} today={today} />
        </span>
      </th>
      <td>{tradedText(strategy)}</td>
      <td>{strategy.assumed?.includes('direction') ? '—' : DIRECTION_TEXT[strategy.direction]}</td>
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
      <td className={css.TableRowActs}>
        {!getData().viewed && (
          <IconButton
            icon={on ? 'bell' : 'bell-off'}
            size={18}
            label={`${strategy.name}：通知${on ? '開' : '關'}`}
            pressed={on}
            onClick={() => bell.tap(strategy)}
          />
        )}
        <StrategyMenu strategy={strategy} />
      </td>
    </tr>
  )
})

/* More strategies than fit on a page, as a table: rows in sight, and the room of the others above and below. */

/** A line with its border (list.css), the same with the name of a group in it. */
const SIZES = { height: 53, head: 57, gap: 0, overscan: 12 }

export function LongTable({ total, at, reach, sections, wide: _always, ...rest }: LongProps) {
  const box = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => linesOf(total, 1, sections), [total, sections])
  const { virtual, shown, away, top, focus } = useLong(box, lines, SIZES, reach)
  const today = taipeiDay(serverNowIso())
  const above = (shown[0]?.start ?? top) - top
  const below = virtual.getTotalSize() - ((shown.at(-1)?.end ?? top) - top)
  const room = { '--above': `${Math.max(0, above)}px`, '--below': `${Math.max(0, below)}px` } as CSSProperties
  // in one list and in order: what changes its place among the drawn must stay the same element
  const drawn = [...shown, ...(away ? [away] : [])].sort((a, b) => a.index - b.index)
  const row = (index: number, out: boolean) => {
    const line = lines[index]
    if (!line) return null
    const { head, from } = line
    if (!head)
      return (
        <TableRow
          key={index}
          // what is out of sight has no height to be measured
          {...(!out && { box: virtual.measureElement })}
          out={out}
          line={index}
          strategy={at(from)}
          place={from}
          today={line.dated ? today : undefined}
          {...rest}
        />
      )
    return (
      <tr key={index} ref={virtual.measureElement} data-index={index} className={css.LongTableHead}>
        <th scope="rowgroup" colSpan={COLUMNS}>
          <GroupHead name={head.name} until={head.valid_until} count={head.count} today={today} />
        </th>
      </tr>
    )
  }
  return (
    <div ref={box} className={css.LongTableBox} style={room} {...focus}>
      <StrategyTable items={[]} rows={total} {...rest}>
        {drawn.map(({ index }) => row(index, index === away?.index))}
      </StrategyTable>
    </div>
  )
}
