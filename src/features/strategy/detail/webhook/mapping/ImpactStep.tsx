/* Before saving: which of the last messages would read otherwise, each as it is and as it would be. */
import type { MappingImpact } from '#contract/mapping.ts'
import { mdHms } from '#text/time.ts'
import { cx } from '#ui/open.ts'
import { Tag } from '#ui/Tag.tsx'
import css from './ImpactStep.module.css'
import { CHANGES, impactWords, trialWords } from './words.ts'

export function ImpactStep({ impact }: { impact: MappingImpact }) {
  const { looked, counts, rows } = impact
  return (
    <div className={css.root}>
      <p className={counts.becomes_unreadable > 0 ? cx(css.sum, 'danger-ink') : css.sum}>
        {impactWords(impact)}
      </p>
      <p className="t13 ink2">
        {looked === 0
          ? '這個 Webhook 還沒有收到可以比較的訊息。'
          : `最近 ${looked} 則照現在的設定與新的對應各讀一次：${counts.newly_readable} 則變成讀得懂，${counts.changed} 則讀法改變，${counts.same} 則不變。`}
      </p>
      {counts.becomes_unreadable > 0 && (
        <p className="t13">儲存後，這樣的訊息會被拒收。請先確認來源不再送這種格式。</p>
      )}
      <ul className={css.rows}>
        {rows.map(({ delivery_id, received_at, change, before, after }) => (
          <li key={delivery_id}>
            <span className={css.when}>
              <time className="num t13 ink3" dateTime={received_at}>
                {mdHms(received_at)}
              </time>
              <Tag tone={CHANGES[change].tone} icon={CHANGES[change].icon}>
                {CHANGES[change].text}
              </Tag>
            </span>
            <dl className="t13">
              <dt className="ink3">現在</dt>
              <dd className="ink2">{trialWords(before)}</dd>
              <dt className="ink3">之後</dt>
              <dd className="w6">{trialWords(after)}</dd>
            </dl>
          </li>
        ))}
      </ul>
    </div>
  )
}
