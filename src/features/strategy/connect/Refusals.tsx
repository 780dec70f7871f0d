/* Requests that were not taken, each with its reason and the field that is to blame. */
import type { Delivery } from '#contract/webhook.ts'
import { hms } from '#text/time.ts'
import { Tag } from '#ui/Tag.tsx'
import css from './Refusals.module.css'

export function Refusals({ of, label }: { of: readonly Delivery[]; label: string }) {
  if (of.length === 0) return null
  return (
    <ul className={css.root} aria-label={label}>
      {of.map(({ id, received_at, outcome, reason, field }) => (
        <li key={id}>
          <time className="num ink3">{hms(received_at)}</time>
          <div className="sp">
            {outcome === 'rejected' ? (
              <Tag tone="danger" icon="close">
                沒收下
              </Tag>
            ) : (
              <Tag icon="minus">忽略</Tag>
            )}
            <p>{reason ?? '沒有說明'}</p>
            {field && (
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
