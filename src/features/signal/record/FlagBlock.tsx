/* 留意: every flag of the record with what it means, its note and the reason of a void. */
import type { SignalRecord } from '#contract/signal.ts'
import { late } from '#text/format.ts'
import { FLAG_WORDS, positionText } from '#text/signal.ts'
import { isSignal } from '#trading/day.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import { KeyValues } from '#ui/Figures.tsx'
import { FLAG_SENTENCES } from '../words.ts'
import { Block } from './Block.tsx'
import css from './FlagBlock.module.css'

/** Left out when there is nothing to say. */
export function FlagBlock({ record }: { record: SignalRecord }) {
  const delay = Date.parse(record.received_at) - Date.parse(record.occurred_at)
  const rows = [...toldBy(record), ...(record.note ? [{ label: '備註', value: record.note }] : [])]
  return (
    <>
      {record.flags.length > 0 && (
        <Block title="留意" icon="info">
          <ul className={css.flags}>
            {record.flags.map((flag) => (
              <li key={flag}>
                <b>{flag === 'late' ? late(delay) : FLAG_WORDS[flag]}</b>
                <span className="ink2">{FLAG_SENTENCES[flag]}</span>
              </li>
            ))}
          </ul>
        </Block>
      )}
      {rows.length > 0 && (
        <Block title="訊號內容">
          <KeyValues rows={rows} />
        </Block>
      )}
    </>
  )
}

/** What the message itself said; a void or correction had none: what it carries is said of the record that it is about. */
function toldBy(record: SignalRecord) {
  if (!isSignal(record)) return []
  const { asset, reported_prev, symbol, symbol_raw, external_id } = record
  return [
    { label: '訊息寫的動作', value: toldAction(record) },
    ...(reported_prev === null
      ? []
      : [{ label: '來源回報的原部位', value: positionText(reported_prev, asset) }]),
    ...(symbol_raw && symbol_raw !== symbol ? [{ label: '原始商品代號', value: symbol_raw }] : []),
    ...(external_id ? [{ label: '來源編號', value: external_id }] : []),
  ]
}

function toldAction(record: SignalRecord): string {
  const word = ACTION_WORDS[record.action]
  const { target_position: target, asset } = record
  return target === null ? word : `${word} ${positionText(target, asset)}`
}
