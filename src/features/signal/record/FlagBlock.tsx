/* 留意: every flag of the record with what it means, its note and the reason of a void. */
import type { SignalRecord } from '#contract/signal.ts'
import { late } from '#text/format.ts'
import { FLAG_WORDS, positionText } from '#text/signal.ts'
import { ACTION_WORDS } from '#trading/action-words.ts'
import { KeyValues } from '#ui/KeyValues.tsx'
import { FLAG_SENTENCES } from '../words.ts'
import { Block } from './Block.tsx'

/** Left out when there is nothing to say. */
export function FlagBlock({ record }: { record: SignalRecord }) {
  const delay = Date.parse(record.received_at) - Date.parse(record.occurred_at)
  const rows = [
    { label: '訊息寫的動作', value: toldAction(record) },
    ...(record.reported_prev === null
      ? []
      : [{ label: '來源回報的原部位', value: positionText(record.reported_prev, record.asset) }]),
    ...(record.symbol_raw && record.symbol_raw !== record.symbol
      ? [{ label: '原始商品代號', value: record.symbol_raw }]
      : []),
    ...(record.external_id ? [{ label: '來源編號', value: record.external_id }] : []),
    ...(record.note ? [{ label: '備註', value: record.note }] : []),
  ]
  return (
    <>
      {record.flags.length > 0 && (
        <Block title="留意" icon="info">
          <ul className="rec-flags">
            {record.flags.map((flag) => (
              <li key={flag}>
                <b>{flag === 'late' ? late(delay) : FLAG_WORDS[flag]}</b>
                <span className="ink2">{FLAG_SENTENCES[flag]}</span>
              </li>
            ))}
          </ul>
        </Block>
      )}
      <Block title="訊號內容">
        <KeyValues rows={rows} />
      </Block>
    </>
  )
}

function toldAction(record: SignalRecord): string {
  const word = ACTION_WORDS[record.action]
  const { target_position: target, asset } = record
  return target === null ? word : `${word} ${positionText(target, asset)}`
}
