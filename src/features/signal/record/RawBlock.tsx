/* 原始訊息: the body as it arrived, folded; only for those who may edit the strategy. */
import type { OutputOf } from '#contract/endpoint.ts'
import type { getSignal } from '#contract/signal.ts'
import { bytes, full, latency } from '#text/format.ts'
import { Fold } from '#ui/Card.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import css from './RawBlock.module.css'

/** The delivery inside the answer of GET /signals/:id. */
export type RawBlockProps = { delivery: NonNullable<OutputOf<typeof getSignal>['delivery']> }

export function RawBlock({ delivery }: RawBlockProps) {
  const { body, body_encoding, content_type, received_at, duration_ms } = delivery
  const size =
    body === null
      ? 0
      : body_encoding === 'utf-8'
        ? new TextEncoder().encode(body).length
        : Math.floor((body.length * 3) / 4)
  const kind = /json/.test(content_type) ? 'JSON' : content_type.split(';')[0] || '文字'
  return (
    <div className={css.raw}>
      <Fold title="原始訊息" icon="code" note={body === null ? '已過保留期' : `${kind} · ${bytes(size)}`}>
        {body === null ? (
          <p className="t13 ink3">原始訊息保留 30 天，這一則已經刪除。</p>
        ) : body_encoding === 'base64' ? (
          <CodeBlock label="原始訊息（不是文字，以 Base64 顯示）" code={body} wrap copy="複製" />
        ) : (
          <CodeBlock label="原始訊息" code={body} wrap copy="複製" />
        )}
        <p className={`t13 ink3 num ${css.under}`}>
          {full(received_at)} 收到 · 處理 {latency(duration_ms)}
        </p>
      </Fold>
    </div>
  )
}
