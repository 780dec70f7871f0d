/* Signals that this device has not sent yet, over the lists they will stand in; past their time each asks for a decision, and what was refused says why. */
import { useState } from 'react'
import type { OutboxRow } from '#contract/outbox.ts'
import { getData } from '#data/current.ts'
import { entryOf } from '#data/nouns/manual.ts'
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
import { useCtx } from './data.tsx'
import { useGo } from './go.ts'
import { correcting, correctionHref, panelHref, useOutbox } from './outbox.ts'
import { toast } from './toast.ts'
import { useMoves } from './use-moves.ts'

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
