/* Signals that this device has not sent yet, over the lists they will stand in; past their time each asks for a decision, and what was refused says why. */

import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { OutboxRow } from '#contract/outbox.ts'
import type { Strategy } from '#contract/strategy.ts'
import { getData } from '#data/current.ts'
import { foldTerms, foreseenAll } from '#data/nouns/foreseen.ts'
import { entryOf } from '#data/nouns/manual.ts'
import { marketQueries } from '#data/nouns/market.ts'
import { listedStrategies, strategyQueries } from '#data/nouns/strategy.ts'
import { byHand, unsentSignals } from '#data/nouns/waiting.ts'
import { failureText } from '#text/errors.ts'
import { hms, number } from '#text/format.ts'
import { ASKED, productText } from '#text/row.ts'
import { positionText, quantityWords, signalWords } from '#text/signal.ts'
import { ago } from '#text/time.ts'
import { symbolName } from '#trading/costs.ts'
import { KINDS, UNIT_FACTS } from '#trading/kinds.ts'
import type { DerivedWithFlags } from '#trading/record.ts'
import { Button } from '#ui/Button.tsx'
import { SignalList, SignalRow } from '#ui/nouns/SignalRow.tsx'
import { useCtx, useData, useTables } from './data.tsx'
import { useGo } from './go.ts'
import { correcting, correctionHref, panelHref, useOutbox } from './outbox.ts'
import { toast } from './toast.ts'
import { useAlone, useBrought } from './use-with-pending.ts'

export type WaitingSignalsProps = {
  strategy_id?: string
  /** Names by strategy; null leaves them out. */
  names: ReadonlyMap<string, string> | null
}

export function WaitingSignals({ strategy_id, names }: WaitingSignalsProps) {
  const rows = unsentSignals(useOutbox(), useCtx(), strategy_id)
  const moves = useMoves(rows.filter(({ state }) => state !== 'failed'))
  if (rows.length === 0) return null
  return (
    <SignalList label="待送出的訊號" framed>
      {rows.toReversed().map((row) => (
        <Waiting
          key={row.key}
          row={row}
          name={names?.get(row.params['strategy_id'] ?? '') ?? null}
          move={moves.get(row.key)}
        />
      ))}
    </SignalList>
  )
}

type WaitingProps = { row: OutboxRow; name: string | null; move: DerivedWithFlags | undefined }

function Waiting({ row, name, move }: WaitingProps) {
  const [busy, setBusy] = useState(false)
  const { open } = useGo()
  const { action, symbol, contract = null, quantity, unit, price, occurred_at } = entryOf(row)
  const asset = byHand(row) ?? 'stock'
  const counted = unit ?? KINDS[asset].units[0]
  const product = productText({ asset, symbol, symbol_name: symbolName(symbol, asset), contract })
  const decide = async (work: 'retry' | 'cancel') => {
    setBusy(true)
    try {
      await (await getData().outbox.open())[work](row.key)
    } catch (error) {
      toast({ title: '沒有改成', description: failureText(error), variant: 'destructive' })
    }
    setBusy(false)
  }
  const refused = row.state === 'failed'
  const correct = () => {
    correcting.row = row
    open(correctionHref(row) ?? panelHref())
  }
  // as the stored record will say it: 加碼, where the key that was pressed said so
  const does = move && move.effect !== 'none'
  const { seal, word } = does ? signalWords({ asset, ...move }) : ASKED[action]
  return (
    <SignalRow
      waiting
      seal={seal}
      solid={false}
      action={word}
      product={product}
      {...quantityWords(quantity === null ? null : quantity * UNIT_FACTS[counted].size, counted)}
      price={number(price, String(price).split('.')[1]?.length ?? 0)}
      time={hms(occurred_at)}
      dateTime={occurred_at}
      strategy={name}
      states={[
        refused
          ? { text: '沒有送出', icon: 'warning', tone: 'danger' }
          : { text: '待送出', icon: 'tray', tone: 'wait' },
        ...(move?.none_reason ? [{ text: `不會動作：${move.none_reason}`, tone: 'plain' } as const] : []),
      ]}
      before={does ? positionText(move.position_before, asset) : null}
      after={does ? positionText(move.position_after, asset) : null}
      // what can be done with it: taken back, tried again
      href={panelHref()}
      onOpen={() => open(panelHref())}
      ask={
        (refused || row.state === 'needs_confirm') && (
          <>
            <span className="sp t13">
              {refused
                ? (row.last_text ?? '伺服器沒有接受')
                : `${ago(row.created_at, getData().now())}輸入，沒有自動送出`}
            </span>
            <Button size="s" kind="ghost" busy={busy} onClick={() => void decide('cancel')}>
              放棄
            </Button>
            <Button size="s" kind="tint" busy={busy} onClick={refused ? correct : () => void decide('retry')}>
              {refused ? '修改後重送' : '仍要送出'}
            </Button>
          </>
        )
      }
    />
  )
}

// What each waiting signal will do to its strategy's position, as the rows of stored ones say what it did.

const NO_DAYS: readonly string[] = []

/** By key of the entry; without what is not known here. `rows` oldest first. */
export function useMoves(rows: readonly OutboxRow[]): ReadonlyMap<string, DerivedWithFlags> {
  const ctx = useCtx()
  const { signals } = useData()
  const ids = [...new Set(rows.map(({ params }) => params['strategy_id'] ?? ''))]
  const asked = useQueries({ queries: ids.map((id) => strategyQueries.one(ctx, id)) })
  // a strategy whose page was never opened stands in the list, or in what was looked through to find it
  const { data: list } = useQuery(strategyQueries.list(ctx, { page_size: 100 }))
  const { data: calendar } = useQuery(marketQueries.calendar())
  const found = ids.map((id, at) => asked[at]?.data ?? list?.items.find((one) => one.id === id))
  const listed = found.includes(undefined) ? listedStrategies(ctx) : []
  const known = found.flatMap(
    (one, at): Strategy | [] => one ?? listed.find(({ id }) => id === ids[at]) ?? [],
  )
  const brought = useBrought(known, useAlone(asked[0]?.error))
  const closed_days = calendar?.closed_days ?? NO_DAYS
  const table = useTables()
  return useMemo(() => {
    const moves = new Map<string, DerivedWithFlags>()
    for (const one of known) {
      const strategy = brought?.get(one.id) ?? one
      const own = rows.filter(({ params }) => params['strategy_id'] === one.id)
      const now = own.at(-1)?.created_at ?? strategy.updated_at
      const terms = foldTerms(strategy, closed_days, table)
      const records = signals.ofStrategy(strategy.id)
      for (const move of foreseenAll(strategy, own, { terms, now, records }).each) moves.set(...move)
    }
    return moves
  }, [known, brought, rows, closed_days, table, signals])
}
