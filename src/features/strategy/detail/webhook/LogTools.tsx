/* Above the log: which requests are shown, and reading them again: those chosen, or all that are shown. */

import { useQuery } from '@tanstack/react-query'
import type { Webhook } from '#contract/webhook.ts'
import { type ReplayPick, webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { ChipSelect } from '#ui/Chips.tsx'
import css from './DeliveriesCard.module.css'
import { KINDS, kindWords, SPAN_WORDS, SPANS, type useLog } from './log.ts'

/** `chosen` null while nothing is being chosen. */
export type LogToolsProps = {
  webhook: Webhook
  log: ReturnType<typeof useLog>
  chosen: ReadonlySet<string> | null
  onChoosing: (choosing: boolean) => void
  onReplay: (pick: ReplayPick) => void
}

export function LogTools({ webhook, log, chosen, onChoosing, onReplay }: LogToolsProps) {
  const ctx = useCtx()
  const { kind, span, filter, go } = log
  // What waits is confirmed, not read again.
  const filtered = (kind !== '' || span !== '') && kind !== 'held'
  const all = useQuery({
    ...webhookQueries.replayable(ctx, webhook.id, filter),
    enabled: filtered || chosen !== null,
  }).data
  const some = chosen !== null && chosen.size > 0
  const many = some ? chosen.size : all
  return (
    <div className={css.tools}>
      <ChipSelect
        label="結果"
        value={kind}
        onChange={(outcome) => go({ outcome, delivery: undefined })}
        options={KINDS.map((value) => ({ value, label: kindWords(value, webhook) }))}
      />
      <ChipSelect
        label="時間"
        value={span}
        onChange={(since) => go({ since, delivery: undefined })}
        options={SPANS.map((value) => ({ value, label: SPAN_WORDS[value] }))}
      />
      <span className="sp" />
      <Button size="s" kind="ghost" onClick={() => onChoosing(chosen === null)}>
        {chosen === null ? '選取' : '取消選取'}
      </Button>
      {(filtered || chosen !== null) && many !== undefined && many > 0 && (
        <Button
          size="s"
          icon="refresh"
          onClick={() => onReplay(some ? { delivery_ids: [...chosen].sort() } : filter)}
        >
          {chosen !== null && !some ? '重新解析全部' : '重新解析'} {number(many)} 則
        </Button>
      )}
    </div>
  )
}
