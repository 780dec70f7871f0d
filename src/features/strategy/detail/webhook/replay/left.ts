/* Where a replay of many stood when the page went away: said on return. What was done is never done twice. */
import type { ReplayPick } from '#data/nouns/webhook.ts'

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
