// Calls of Web Push: the key, the devices of a person, and their test (contract/binding.ts).
import webpush from 'web-push'
import {
  deletePushSubscription,
  getPushKey,
  listPushSubscriptions,
  subscribePush,
  testPush,
  unsubscribePush,
} from '#contract/binding.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import type { App } from '../../../context.ts'
import { handle, type Route } from '../../../http/handle.ts'
import { isPushService } from '../../../outgoing/push-services.ts'
import { selfTest } from '../../channel-state.ts'
import {
  dropSubscription,
  isRemoved,
  keepSubscription,
  labelOf,
  listed,
  removeSubscription,
  shown,
} from './subscriptions.ts'

export function pushRoutes(app: App): Route[] {
  return [
    handle(app, getPushKey, () => Promise.resolve({ key: app.vapid.public })),

    handle(app, listPushSubscriptions, ({ tx, actor }) => listed(app, tx.db, actor)),

    handle(app, subscribePush, {
      async prepare({ input: { endpoint, keys } }) {
        await checkEndpoint(app, endpoint)
        if (!canEncrypt(keys)) throw invalid({ 'keys.p256dh': '推播金鑰格式不正確' })
      },
      async run({ tx, actor, input: { endpoint, keys, device_label, again } }) {
        if (again && (await isRemoved(tx.db, actor.sid)))
          throw new ApiError(4040, { text: '這台裝置已經移除，要再收推播請重新打開' })
        const label = device_label ?? (await labelOf(tx.db, actor.sid))
        const row = await keepSubscription(app, tx, actor, { endpoint, keys, device_label: label })
        await tx.append(`p:${actor.uid}`, 'setting', { change: 'push' })
        return shown(app, row, actor.sid)
      },
    }),

    handle(app, deletePushSubscription, async ({ tx, actor, input }) => {
      if (!(await removeSubscription(tx, actor.uid, input.id))) throw new ApiError(4040)
      await tx.append(`p:${actor.uid}`, 'setting', { change: 'push' })
      return null
    }),

    // Whoever leaves says it without having to know whether it was ever kept.
    handle(app, unsubscribePush, async ({ tx, actor, input }) => {
      if (await dropSubscription(app, tx.db, actor.uid, input.endpoint))
        await tx.append(`p:${actor.uid}`, 'setting', { change: 'push' })
      return null
    }),

    handle(app, testPush, {
      prepare: ({ actor }) => selfTest(app, actor, 'push'),
      run: ({ prepared }) => Promise.resolve(prepared),
    }),
  ]
}

/** The server will call this address: one of the known push services, or any that may be called at all (threat T22). */
async function checkEndpoint(app: App, endpoint: string): Promise<void> {
  if (isPushService(endpoint)) return
  const problem = await app.outgoing.check(endpoint)
  if (problem) throw invalid({ endpoint: problem.reason })
}

/** The key may be as long as a key and yet be none. */
function canEncrypt({ p256dh, auth }: { p256dh: string; auth: string }): boolean {
  try {
    webpush.encrypt(p256dh, auth, 'x', 'aes128gcm')
    return true
  } catch {
    // It says what is wrong in English, for developers; to the person it is one thing.
    return false
  }
}
