/* Requests that made no signal, each with its reason and the field that is to blame; what waits leads to where it is confirmed. */
import type { Delivery } from '#contract/webhook.ts'
import { useGo } from '#screen/go.ts'
import { hms } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from './Refusals.module.css'

/** `home` the strategy's page. */
export type RefusalsProps = { of: readonly Delivery[]; label: string; home: string }

export function Refusals({ of, label, home }: RefusalsProps) {
  const { go } = useGo()
  if (of.length === 0) return null
  return (
    <ul className={css.root} aria-label={label}>
      {of.map(({ id, received_at, outcome, reason, field, format_id }) => (
        <li key={id}>
          <time className="num ink3">{hms(received_at)}</time>
          <div className="sp">
            {outcome === 'rejected' ? (
              <Tag tone="danger" icon="close">
                沒收下
              </Tag>
            ) : outcome === 'held' ? (
              <Tag tone="warn" icon="clock">
                等你確認
              </Tag>
            ) : (
              <Tag icon="minus">忽略</Tag>
            )}
            <p>{reason ?? '沒有說明'}</p>
            {outcome === 'held' && format_id && (
              <Button
                size="s"
                kind="tint"
                className={css.key}
                {...go(`${home}?tab=settings&format=${format_id}`)}
              >
                看會怎麼讀
              </Button>
            )}
            {field && outcome !== 'held' && (
              <p className="ink3 t13">
                欄位 <code className="mono">{field}</code>
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
