/* 交易: every closed trade with what it cost, newest first. */

import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { failureSentence } from '#screen/failure.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { when } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import type { Trade } from '#trading/record.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState, FailState, StaleNote } from '#ui/EmptyState.tsx'
import { Chips } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TradeSheet } from './TradeSheet.tsx'
import { TradeWindow } from './TradeWindow.tsx'
import { useTrades } from './use-trades.ts'
import { matches, type Result, type SideChoice } from './words.ts'

const SIDES = [
  { value: 'long', label: '多' },
  { value: 'short', label: '空' },
] as const
const RESULTS = [
  { value: 'win', label: '獲利' },
  { value: 'loss', label: '虧損' },
] as const

export function TradesTab({ strategy }: { strategy: Strategy }) {
  const { on: masked } = usePrivacy()
  const [side, setSide] = useState<SideChoice>('all')
  const [result, setResult] = useState<Result>('all')
  const [opened, setOpened] = useState<Trade | null>(null)
  const { trades, older, figures } = useTrades(strategy)
  if (!figures.data)
    return figures.error ? (
      <FailState card title="讀不到交易" onRetry={figures.retry} busy={figures.busy}>
        {failureSentence(figures.error, '紀錄都還在，')}
      </FailState>
    ) : (
      <Skeleton type="list" label="交易載入中" />
    )
  const { summary, initial_capital } = figures.data
  if (summary.trade_count === 0)
    return (
      <EmptyState card title="還沒有平倉的交易">
        進場與出場配成一筆之後，會連同成本列在這裡。
      </EmptyState>
    )
  const shown = trades.filter((trade) => matches(trade, side, result))
  const clear = () => {
    setSide('all')
    setResult('all')
  }
  const pick = (value: string) => {
    if (value === 'all') clear()
    if (value === 'long' || value === 'short') setSide(side === value ? 'all' : value)
    if (value === 'win' || value === 'loss') setResult(result === value ? 'all' : value)
  }
  return (
    <div className="stack">
      {figures.error !== null && figures.as_of !== null && (
        <StaleNote offline={false} time={when(figures.as_of, serverNow())} />
      )}
      <Chips
        label="篩選交易"
        onPick={pick}
        chips={[
          { value: 'all', label: '全部', on: side === 'all' && result === 'all', count: summary.trade_count },
          ...SIDES.map((chip) => ({ ...chip, on: side === chip.value })),
          ...RESULTS.map((chip) => ({ ...chip, on: result === chip.value })),
        ]}
      />
      {shown.length === 0 ? (
        <EmptyState card title="沒有符合的交易" action={<Button onClick={clear}>清除篩選</Button>} />
      ) : (
        <TradeWindow trades={shown} capital={initial_capital} masked={masked} onOpen={setOpened} />
      )}
      {older && (
        <Button busy={older.busy} onClick={older.load} wide>
          {older.failed ? '沒有載入，再試一次' : '載入更早的交易'}
        </Button>
      )}
      {opened && (
        <TradeSheet trade={opened} strategy={strategy} masked={masked} onClose={() => setOpened(null)} />
      )}
    </div>
  )
}
