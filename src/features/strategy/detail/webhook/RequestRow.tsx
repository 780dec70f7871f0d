/* One request: when, verdict, what it became or why not; opened, the whole of it. */

import type { Delivery, Webhook } from '#contract/webhook.ts'
import { useData } from '#screen/data.tsx'
import { hms, mdHm, number, price, taipei } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { amountOf, wordsOf } from '#text/row.ts'
import { readAs } from '#text/webhook.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import { Tag } from '#ui/Tag.tsx'
import { DeliveryDetail } from './DeliveryDetail.tsx'
import css from './RequestRow.module.css'
import { TRIED, verdictOf } from './words.ts'

/** `open` shows the whole request. */
export type RequestRowProps = {
  delivery: Delivery
  webhook: Webhook
  open: boolean
  onToggle: (open: boolean) => void
  /** What one that waits would be, as far as anybody can say. */
  proposal: string | undefined
  onFormat: (id: string) => void
  onReplay?: (id: string) => void
  /** While rows are being chosen: whether this one is. */
  chosen?: boolean | undefined
  onChoose?: (chosen: boolean) => void
}

export function RequestRow(props: RequestRowProps) {
  const { delivery, webhook, open, onToggle, proposal, onFormat, onReplay, chosen, onChoose } = props
  const read = useSaid(delivery)
  const said = (delivery.outcome === 'held' && proposal) || read
  const verdict = delivery.test && delivery.outcome !== 'rejected' ? TRIED : verdictOf(delivery)
  const today = taipei(delivery.received_at).day === taipei(serverNow()).day
  const id = `delivery-${delivery.id}`
  // What waits is looked at where it is confirmed.
  const asks = delivery.outcome === 'held' ? delivery.format_id : null
  return (
    <li className={cx(css.root, open && css.open, chosen !== undefined && css.choosing)}>
      {chosen !== undefined && (
        <Checkbox
          label={`選取 ${hms(delivery.received_at)} ${verdict.text}`}
          hideLabel
          className={css.check}
          checked={chosen}
          disabled={delivery.test}
          onChange={(on) => onChoose?.(on)}
        />
      )}
      <button
        type="button"
        className={css.line}
        aria-expanded={asks ? undefined : open}
        aria-haspopup={asks ? 'dialog' : undefined}
        aria-controls={open ? id : undefined}
        onClick={() => (asks ? onFormat(asks) : onToggle(!open))}
      >
        <time className="num ink3 t13" dateTime={delivery.received_at}>
          {today ? hms(delivery.received_at) : mdHm(delivery.received_at)}
        </time>
        <span>
          <Tag tone={verdict.tone} icon={verdict.icon}>
            {verdict.text}
          </Tag>
        </span>
        <span className={delivery.outcome === 'rejected' ? cx(css.said, 'w6') : css.said}>{said}</span>
        <span className={cx(css.http, 'num ink3 t13 r')}>{delivery.http_status}</span>
        <span className="num ink3 t13 r">{number(delivery.duration_ms)} ms</span>
        <Icon
          name={asks ? 'chevron-right' : open ? 'chevron-up' : 'chevron-down'}
          size={16}
          className="ink3"
        />
      </button>
      {open && (
        <div id={id}>
          <DeliveryDetail delivery={delivery} webhook={webhook} onFormat={onFormat} onReplay={onReplay} />
        </div>
      )}
    </li>
  )
}

/** One line: the signal it became when the device holds it, else what was read, else why not. */
function useSaid(delivery: Delivery): string {
  const store = useData().signals
  const { signal_id, test, reason, normal } = delivery
  const read = readAs(normal)
  if (test) return ['送出測試', read, '不計入紀錄'].filter(Boolean).join('，')
  const record = signal_id ? store.get(signal_id) : undefined
  if (record && (delivery.outcome === 'accepted' || delivery.outcome === 'late')) {
    const { word } = wordsOf(record)
    const place = `第 ${number(record.chain_seq)} 筆`
    const { quantity, unit } = amountOf(record)
    const at = record.price === null ? '待補價' : `@${price(record.price)}`
    const voided = record.derived.status === 'voided'
    const after = voided ? '，已作廢' : record.derived.effect === 'none' ? '，部位沒有變動' : ''
    return `${word} ${quantity} ${unit} ${at}${after}，${place}`
  }
  return reason ?? read ?? '沒有可顯示的內容'
}
