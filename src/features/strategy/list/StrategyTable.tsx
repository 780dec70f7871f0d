/* The strategies as a table, for wide screens: one line each, figures right-aligned. */

import type { ReactNode } from 'react'
import { Table } from '#ui/Table.tsx'
import type { StrategiesProps } from './StrategyCards.tsx'
import css from './StrategyTable.module.css'
import { TableRow } from './TableRow.tsx'

/** `children` the rows, where they are not drawn all; then `rows` says how many there are. */
export type StrategyTableProps = StrategiesProps & { children?: ReactNode; rows?: number }

export function StrategyTable({ items, bell, masked, group, today, children, rows }: StrategyTableProps) {
  return (
    <div className="card flush">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className={css.scroll} aria-label={`${group ?? '策略列表'}，可左右捲動`} tabIndex={0}>
        <Table className={css.table} {...(rows !== undefined && { 'aria-rowcount': rows + 1 })}>
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
