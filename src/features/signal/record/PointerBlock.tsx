/* 相關紀錄: what voided or corrected this record, or the record that this one is about. Both stay, each leads to the other. */
import type { SignalRecord } from '#contract/signal.ts'
import { full, number } from '#text/format.ts'
import { priceText, productText, wordsOf } from '#text/row.ts'
import { Icon } from '#ui/Icon.tsx'
import { Block } from './Block.tsx'
import css from './PointerBlock.module.css'

/** `own` the strategy's records on this device. Left out when there is nothing. */
export type PointerBlockProps = {
  record: SignalRecord
  own: readonly SignalRecord[]
  onOpen: (id: string) => void
}

export function PointerBlock({ record, own, onOpen }: PointerBlockProps) {
  const related =
    record.refers_to === null
      ? own.filter(({ refers_to }) => refers_to === record.id)
      : own.filter(({ id }) => id === record.refers_to)
  if (related.length === 0) return null
  return (
    <Block title={record.refers_to === null ? '之後的作廢與更正' : '這筆說的是'} icon="link">
      <ul className={css.related}>
        {related.map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => onOpen(one.id)}>
              <span className="sp">
                <b>
                  {wordsOf(one).word} · 第 {number(one.chain_seq)} 筆
                </b>
                <small className="ink2">{aboutOf(one, record)}</small>
                <small className="num ink3">{full(one.occurred_at)}</small>
              </span>
              <Icon name="chevron-right" size={18} className="ink3" />
            </button>
          </li>
        ))}
      </ul>
    </Block>
  )
}

function aboutOf(record: SignalRecord, other: SignalRecord): string {
  if (record.source === 'void') return record.reason ?? ''
  const price = record.price === null ? '沒有價格' : priceText(record, record.price)
  const confirms = record.price !== null && record.price === other.price
  if (record.source === 'correction')
    return `${confirms ? '確認價格' : '價格'} ${price}${record.note ? ` · ${record.note}` : ''}`
  return `${productText(record)} · ${price}`
}
