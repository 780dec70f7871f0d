// The sample signals: a small script that plays one entry per press, round and round.

import { useState } from 'react'
import { number } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { hms } from '#text/time.ts'
import { EXAMPLE } from '#trading/examples.ts'
import type { SignalRowProps } from '#ui/nouns/SignalRow.tsx'

export type SampleRow = SignalRowProps & { key: string }

const FIRST: readonly SampleRow[] = [
  {
    key: 's4',
    seal: '多',
    solid: true,
    action: '加碼',
    product: '大台 12月',
    quantity: '1',
    unit: '口',
    price: number(EXAMPLE.index),
    time: '10:31:58',
    strategy: '台指當沖突破',
    before: '+1',
    after: '+2',
  },
  {
    key: 's3',
    seal: '買',
    solid: true,
    action: '進場',
    product: '2330 台積電',
    quantity: '1',
    unit: '張',
    price: number(EXAMPLE.tsmc),
    time: '10:30:00',
    strategy: '外資連買選股',
    before: '0',
    after: '1 張',
  },
  {
    key: 's2',
    seal: '空',
    solid: false,
    action: '平倉',
    product: '微台 12月',
    quantity: '5',
    unit: '口',
    price: number(EXAMPLE.index_before),
    time: '10:24:00',
    strategy: '微台均值回歸',
    before: '−5',
    after: '0',
    pnl: 1060,
  },
  {
    key: 's1',
    seal: '多',
    solid: true,
    action: '進場',
    product: '電子期 12月',
    quantity: '1',
    unit: '口',
    price: number(EXAMPLE.electronics, 2),
    time: '10:17:33',
    strategy: '電子期隔日沖',
    before: '0',
    after: '+1',
    states: [{ icon: 'clock', text: '延遲 3 分', tone: 'warn' }],
  },
]
type Step = Omit<SampleRow, 'key' | 'time'>
const SCRIPT: readonly [Step, ...Step[]] = [
  {
    seal: '多',
    solid: false,
    action: '平倉',
    product: '大台 12月',
    quantity: '2',
    unit: '口',
    price: number(EXAMPLE.index_exit),
    strategy: '台指當沖突破',
    before: '+2',
    after: '0',
    pnl: 20_926,
  },
  {
    seal: '空',
    solid: true,
    action: '進場',
    product: '小台 12月',
    quantity: '2',
    unit: '口',
    price: number(EXAMPLE.index_short),
    strategy: '小台順勢波段',
    before: '0',
    after: '−2',
  },
  {
    seal: '賣',
    solid: false,
    action: '出場',
    product: '2603 長榮',
    quantity: '2',
    unit: '張',
    price: number(EXAMPLE.evergreen, 1),
    strategy: '航運短線',
    before: '2 張',
    after: '0',
    pnl: 5496,
  },
  {
    seal: '空',
    solid: false,
    action: '平倉',
    product: '小台 12月',
    quantity: '2',
    unit: '口',
    price: '46,655',
    strategy: '小台順勢波段',
    before: '−2',
    after: '0',
    pnl: -4690,
  },
]

/** Four rows; `fire` lets the next one arrive on top, now, and the oldest leave, so that nothing below moves. */
export function useSample() {
  const [state, setState] = useState<{ rows: readonly SampleRow[]; count: number }>({ rows: FIRST, count: 0 })
  const fire = () =>
    setState(({ rows, count }) => {
      const step = SCRIPT[count % SCRIPT.length] ?? SCRIPT[0]
      return {
        rows: [{ ...step, key: `n${count}`, time: hms(serverNow()) }, ...rows.slice(0, 3)],
        count: count + 1,
      }
    })
  return { rows: state.rows, fresh: state.count === 0 ? null : `n${state.count - 1}`, fire }
}
