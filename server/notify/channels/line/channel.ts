// LINE: a push message of the server's official account. Its free messages are counted and shared; when none is left for this
// person the next channel comes.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../../context.ts'
import { OutgoingError } from '../../../outgoing.ts'
import type { Channel, SendResult } from '../../channel.ts'
import { textOf } from '../../words.ts'
import { callLine, hasLine, isUsedUp, OWN_USED_UP, resultOf, USED_UP } from './api.ts'
import { countFor, countOne, leftNow, leftToday, refresh, shareFor } from './quota.ts'

/** What is left is shown also while nothing is sent. */
const LOOK_MS = 30 * 60_000

export const line: Channel = {
  id: 'line',
  receivers: 'rows',
  gathers: true,
  rests: true,
  confirms: true,
  pace: { at_once: 10, per_receiver_ms: 0, per_second: 100 },
  unavailable: (app) => (hasLine(app) ? null : '此伺服器未設定 LINE 官方帳號'),
  async send(app, { address, uid }, message, signal): Promise<SendResult> {
    const left = await leftToday(app)
    if (left === 0) return { kind: 'refused', reason: USED_UP, ours: true }
    if (left !== null && (await shareFor(app.db, uid, left, app.now())) === 0)
      return { kind: 'refused', reason: OWN_USED_UP, ours: true }
    const text = textOf(message)
    try {
      const answer = await callLine(app, 'message/push', {
        body: { to: address, messages: [{ type: 'text', text }] },
        headers: { 'x-line-retry-key': retryKey(`${message.key} ${address} ${text}`) },
        signal,
      })
      const result = resultOf(answer)
      if (answer.status === 200) await Promise.all([countOne(app), countFor(app.db, uid, app.now())])
      if (isUsedUp(answer)) await countOne(app, true)
      return result
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      return { kind: 'again', reason: `LINE 沒有回應：${error.reason}` }
    }
  },
  async left({ now }, db, uid) {
    const left = await leftNow(db)
    if (left === null) return null
    return { count: await shareFor(db, uid, left, now()), again: left === 0 ? 'month' : 'day' }
  },
  run: (app) => watchQuota(app),
}

/**
 * A UUID that the same message has at every try, and no other message: what was gathered anew since an unanswered try is another
 * one, for under the old key LINE would take it for sent.
 */
export function retryKey(of: string): string {
  const hex = createHash('sha256').update(of).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(18, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

function watchQuota(app: App): () => Promise<void> {
  const ends = new AbortController()
  const running = (async () => {
    while (!ends.signal.aborted) {
      await refresh(app)
      await sleep(LOOK_MS, undefined, { signal: ends.signal, ref: false }).catch(() => undefined)
    }
  })()
  return () => {
    ends.abort()
    return running
  }
}
