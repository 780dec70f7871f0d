/* What of the log is shown, by what became of a request and when it came, and which format is open: kept in the address. And where a replay of many stood. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { OUTCOMES, type Webhook } from '#contract/webhook.ts'
import type { DeliveryFilter, ReplayPick } from '#data/nouns/webhook.ts'
import { taipei } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { OUTCOME_WORDS, REASON_WORDS } from '#text/webhook.ts'
import { addDays, instantOf } from '#trading/calendar.ts'

export const KINDS = ['', ...OUTCOMES, 'mismatch'] as const
export type LogKind = (typeof KINDS)[number]
export const SPANS = ['', 'today', 'yesterday', 'week'] as const
export type LogSpan = (typeof SPANS)[number]

export const SPAN_WORDS: Record<LogSpan, string> = {
  '': '全部時間',
  today: '今天',
  yesterday: '昨天',
  week: '最近 7 天',
}

/** 沒收下 12: the counts are those of 24 hours. */
export function kindWords(kind: LogKind, { counts_24h: day }: Webhook): string {
  if (kind === '') return '全部結果'
  const text = kind === 'mismatch' ? REASON_WORDS.symbol_mismatch : OUTCOME_WORDS[kind]
  return day[kind] > 0 ? `${text} ${day[kind]}` : text
}

/** True for as long as the tab shows what a link asked for: some of the log. */
export function useAsked(): boolean {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const [asked] = useState(() => typeof address['outcome'] === 'string')
  return asked
}

/** Brings the log up once it is there: on a phone it lies three screens down. */
export function useBroughtUp(asked: boolean, ready: boolean): RefObject<HTMLDListElement | null> {
  const place = useRef<HTMLDListElement | null>(null)
  const due = useRef(asked)
  useEffect(() => {
    if (!ready || !due.current) return
    due.current = false
    const top = place.current?.getBoundingClientRect().top ?? 0
    if (top > window.innerHeight / 2) place.current?.scrollIntoView()
  }, [ready])
  return place
}

type Patch = { outcome?: LogKind; since?: LogSpan; delivery?: string | undefined; format?: string | null }

export function useLog() {
  const navigate = useNavigate()
  const address: Record<string, unknown> = useSearch({ strict: false })
  const kind = KINDS.find((one) => one === address['outcome']) ?? ''
  const span = SPANS.find((one) => one === address['since']) ?? ''
  const today = taipei(serverNow()).day
  const filter = useMemo((): DeliveryFilter => {
    const back = { '': 0, today: 0, yesterday: 1, week: 6 }[span]
    return {
      ...(kind === 'mismatch' ? { reason_code: 'symbol_mismatch' } : kind !== '' && { outcome: kind }),
      ...(span !== '' && { from: instantOf(addDays(today, -back), '00:00') }),
      ...(span === 'yesterday' && { to: instantOf(today, '00:00') }),
    }
  }, [kind, span, today])
  const go = (patch: Patch) =>
    void navigate({
      to: '.',
      search: (old: Record<string, unknown>) => ({
        ...old,
        ...Object.fromEntries(Object.entries(patch).map(([key, value]) => [key, value || undefined])),
      }),
      replace: true,
      resetScroll: false,
    } as Parameters<typeof navigate>[0])
  const named = (key: string) => (typeof address[key] === 'string' ? address[key] : null)
  return { kind, span, filter, opened: named('delivery'), format: named('format'), go }
}

/* Where a replay of many stood when the page went away: said on return. What was done is never done twice. */

export type ReplayLeft = { done: number; total: number; at: number; pick: ReplayPick }

const keyOf = (webhook_id: string) => `replay:${webhook_id}`

/** Where it stands; null when it is through. */
export function noteLeft(webhook_id: string, left: ReplayLeft | null): void {
  if (left) sessionStorage.setItem(keyOf(webhook_id), JSON.stringify(left))
  else sessionStorage.removeItem(keyOf(webhook_id))
}

export function readLeft(webhook_id: string): ReplayLeft | null {
  const text = sessionStorage.getItem(keyOf(webhook_id))
  return text === null ? null : (JSON.parse(text) as ReplayLeft)
}
