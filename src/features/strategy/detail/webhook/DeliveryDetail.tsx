/* A request in full: reason with the offending field, body as it came, what was read, and what can be done with it. */

import { type Delivery, reasonsAt, type Webhook } from '#contract/webhook.ts'
import { useGo } from '#screen/go.ts'
import { bytes } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import css from './DeliveryDetail.module.css'
import { marked } from './format/mark.ts'
import { curlOf, normalRows } from './words.ts'

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
    <div className={css.root}>
      {reason && (
        <div className={css.why}>
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
      <div className={css.acts}>
        <span className={cx(css.meta, 't13 ink3 num')}>
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
