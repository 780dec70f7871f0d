// The worker sends what waits and hears that the session is over, with no page open: nothing that can be read stays.
import 'fake-indexeddb/auto'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openDatabase } from '#data/device/db.ts'
import { readSession, saveSession } from '#data/device/session-db.ts'
import { ROOT } from '../../support/sources.ts'
import { record } from '../support/backend.ts'
import { waitingRow } from '../support/outbox.ts'
import { onFreshDevice, UID } from '../support/push-worker.ts'

const { sendWaiting } = (await import(/* @vite-ignore */ join(ROOT, 'sw/sync.ts'))) as {
  sendWaiting(): Promise<void>
}

onFreshDevice()
afterEach(() => vi.unstubAllGlobals())

/** One call waits; the server, or what stands before it, answers it so. Gives how many rows each table has afterwards. */
async function sent(status: number, code: number, meanwhile = async () => {}) {
  const db = await openDatabase(UID)
  await db.signals.put({ ...record(1), ctx: 'personal' })
  await db.answers.put({ key: 'a', ctx: 'personal', schema: 1, data: 1, data_at: 1, saved_at: 1 })
  await db.outbox.add(waitingRow({ uid: UID }))
  db.close()
  Object.assign(navigator, { onLine: true })
  vi.stubGlobal('fetch', async () => {
    await meanwhile()
    const error = { success: false, code, msg: 'no', text: '不行' }
    return Response.json({ error, result: null }, { status })
  })
  // what still waits makes the browser come back
  await sendWaiting().catch(() => undefined)
  const after = await openDatabase(UID)
  const counts = [await after.signals.count(), await after.answers.count(), await after.outbox.count()]
  after.close()
  return counts
}

test.each([4011, 4012])('%i: records and answers go, the call and nobody’s session stay', async (code) => {
  expect(await sent(401, code)).toEqual([0, 0, 1])
  expect(await readSession()).toBeNull()
})

test('what is not the end of the session empties nothing', async () => {
  expect(await sent(401, 4010)).toEqual([1, 1, 1])
  expect(await readSession()).not.toBeNull()
})

test('somebody has signed in meanwhile: the device is theirs', async () => {
  const token = 'another'
  const session = { uid: UID, token, exp: 2 ** 31, org_id: null, clock_offset_ms: 0 }
  expect(await sent(401, 4012, () => saveSession(session))).toEqual([1, 1, 1])
  expect(await readSession()).toMatchObject({ token })
})
