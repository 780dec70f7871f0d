/* One request: when, verdict, what it became or why not; opened, the whole of it. */

import { type Delivery, reasonsAt, type Webhook } from '#contract/webhook.ts'
import { useData } from '#screen/data.tsx'
import { useGo } from '#screen/go.ts'
import { bytes, hms, mdHm, number, price, taipei } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { amountOf, wordsOf } from '#text/row.ts'
import { readAs } from '#text/webhook.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import { Tag } from '#ui/Tag.tsx'
import css from './Webhook.module.css'
import { curlOf, marked, normalRows, TRIED, verdictOf } from './words.ts'

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
    <li
      className={cx(
        css.RequestRow,
        open && css.RequestRowOpen,
        chosen !== undefined && css.RequestRowChoosing,
      )}
    >
      {chosen !== undefined && (
        <Checkbox
          label={`選取 ${hms(delivery.received_at)} ${verdict.text}`}
          hideLabel
          className={css.RequestRowCheck}
          checked={chosen}
          disabled={delivery.test}
          onChange={(on) => onChoose?.(on)}
        />
      )}
      <button
        type="button"
        className={css.RequestRowLine}
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
        <span className={delivery.outcome === 'rejected' ? cx(css.RequestRowSaid, 'w6') : css.RequestRowSaid}>
          {said}
        </span>
        <span className={cx(css.RequestRowHttp, 'num ink3 t13 r')}>{delivery.http_status}</span>
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

/* A request in full: reason with the offending field, body as it came, what was read, and what can be done with it. */

const CUT = '內容太長又無法解析，只保留開頭 2 KB，不能重新解析；請修正來源後重送。'

export type DeliveryDetailProps = {
  delivery: Delivery
  webhook: Webhook
  onFormat: (id: string) => void
  /** Asks to read it again; without it nothing is offered. */
  onReplay?: ((id: string) => void) | undefined
}

/** Who sent these is not known, or a rule has decided: they are never read again. */
const SETTLED = reasonsAt('sender', 'opening', 'twice', 'ruled')

export function DeliveryDetail({ delivery, webhook, onFormat, onReplay }: DeliveryDetailProps) {
  const { go } = useGo()
  const { body, body_cut, body_encoding, content_type, size, source_ip, reason, field, outcome, normal } =
    delivery
  const { format_id } = delivery
  const refused = outcome === 'rejected'
  const again = onReplay && body !== null && !body_cut && !delivery.test && !SETTLED.has(delivery.reason_code)
  return (
    <div className={css.DeliveryDetail}>
      {reason && (
        <div className={css.DeliveryDetailWhy}>
          <Icon name={refused ? 'warning' : 'info'} className={refused ? 'danger-ink' : 'ink3'} />
          <div>
            <p>{reason}</p>
            <p className="t13 ink2">
              {field && (
                <>
                  欄位 <code className="mono">{field}</code>。
                </>
              )}
              {refused &&
                `這則沒有產生訊號，部位不變。${body_cut ? CUT : body === null ? '' : '修正來源或設定後，可以重新解析。'}`}
            </p>
          </div>
        </div>
      )}
      {body === null ? (
        <p className="t13 ink3">
          {delivery.reason_code === 'too_large'
            ? '沒有保留內容：超過 64 KB。'
            : '沒有保留內容：存放訊息內容的空間已用完，請修正來源後重送。'}
        </p>
      ) : (
        <CodeBlock
          raised
          label={body_cut ? '收到的內容（開頭 2 KB）' : '收到的內容'}
          code={body_encoding === 'utf-8' ? marked(body, [], refused ? field : null) : body}
          wrap
        />
      )}
      {normal && <KeyValues columns rows={normalRows(normal)} />}
      <div className={css.DeliveryDetailActs}>
        <span className={cx(css.DeliveryDetailMeta, 't13 ink3 num')}>
          {content_type || '沒有寫內容類型'} · <span className="nowrap">{bytes(size)}</span> · {source_ip}
          {delivery.replayed_at && ' · 已重新解析'}
        </span>
        {body !== null && body_encoding === 'utf-8' && !body_cut && (
          <CopyButton size="s" text={curlOf(delivery, webhook.url ?? '')}>
            複製為 curl
          </CopyButton>
        )}
        {format_id && !format_id.startsWith('builtin:') && (
          <Button size="s" onClick={() => onFormat(format_id)}>
            看這種格式
          </Button>
        )}
        {again && (
          <Button size="s" icon="refresh" onClick={() => onReplay(delivery.id)}>
            重新解析
          </Button>
        )}
        {delivery.signal_id && (
          <Button
            size="s"
            {...go(`/strategies/${webhook.strategy_id}?tab=signals&signal=${delivery.signal_id}`)}
          >
            看這筆訊號
          </Button>
        )}
      </div>
    </div>
  )
}
