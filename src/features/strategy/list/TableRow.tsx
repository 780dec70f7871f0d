/* One strategy as a line of the table. Drawn again only when it or its bell changes. */

import { memo, type Ref } from 'react'
import { getData } from '#data/current.ts'
import { useGo } from '#screen/go.ts'
import { serverNow } from '#text/now.ts'
import { DIRECTION_TEXT, TIMEFRAME_TEXT, tradedText } from '#text/strategy.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Delta, Seal } from '#ui/nouns/Delta.tsx'
import { cx, opens } from '#ui/open.ts'
import type { OneCardProps } from './OneCard.tsx'
import { StrategyMark } from './StrategyMark.tsx'
import { StrategyMenu } from './StrategyMenu.tsx'
import { shownOf } from './shown.ts'
import css from './TableRow.module.css'
import { UntilMark } from './UntilMark.tsx'

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
            className={cx(css.name, 'el')}
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
      <td className={css.acts}>
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
