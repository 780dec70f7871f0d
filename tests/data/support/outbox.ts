// Rows for tests of the outbox.

import { uuidv7 } from '#contract/ids.ts'
import type { OutboxRow } from '#contract/outbox.ts'

/** A call that waits; `change` says what is different about it. */
export function waitingRow(change: Partial<OutboxRow> = {}): OutboxRow {
  const at = new Date().toISOString()
  const uid = change.uid ?? 'u1'
  return {
    key: uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10))),
    ctx: 'personal',
    lane: `${uid}|personal|profile|-`,
    uid,
    org_id: null,
    endpoint: 'profile.update-name',
    params: {},
    body: { name: '新名字' },
    base: null,
    label: '改名為「新名字」',
    created_at: at,
    edited_at: at,
    expires_at: new Date(Date.now() + 7 * 86_400_000).toISOString(),
    state: 'waiting',
    attempts: 0,
    next_at: null,
    last_status: null,
    last_code: null,
    last_text: null,
    ...change,
  }
}
