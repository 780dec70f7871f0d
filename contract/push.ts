// Web Push: subscriptions of devices and their test (operations.md, wire.md §8).
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, nothing, plain_name, seen } from './fields.ts'
import { push_subscription, self_test } from './notification-shape.ts'

const endpoint_url = () => z.string().check(z.maxLength(1_000), seen())

export const getPushKey = endpoint({
  name: 'push.key',
  method: 'GET',
  path: '/push/key',
  who: 'login',
  when_offline: 'fail',
  about: '這台伺服器的推播公鑰（VAPID）',
  input: z.object({}),
  output: z.object({ key: z.string() }),
})

export const listPushSubscriptions = endpoint({
  name: 'push.list',
  method: 'GET',
  path: '/push/subscriptions',
  who: 'login',
  when_offline: 'fail',
  about: '我收推播的裝置',
  input: z.object({}),
  output: z.array(push_subscription),
})

export const subscribePush = endpoint({
  name: 'push.subscribe',
  method: 'POST',
  path: '/push/subscriptions',
  who: 'login',
  when_offline: 'fail',
  about:
    '這台裝置要收推播；同一個網址再送一次就是更新，換人登入就是換主人。again：程式自己再送一次，不是有人打開；移除過的裝置答 4040',
  input: z.object({
    endpoint: endpoint_url(),
    keys: z.object({
      p256dh: z.string().check(z.regex(/^[\w-]{87,88}=?$/, '推播金鑰格式不正確')),
      auth: z.string().check(z.regex(/^[\w-]{22,24}={0,2}$/, '推播金鑰格式不正確')),
    }),
    device_label: z.optional(plain_name(60, '請輸入裝置名稱')),
    again: z.optional(z.boolean()),
  }),
  output: push_subscription,
})

export const deletePushSubscription = endpoint({
  name: 'push.delete',
  method: 'DELETE',
  path: '/push/subscriptions/:id',
  who: 'login',
  when_offline: 'fail',
  about: '一台裝置不再收推播',
  input: z.object({ id: id() }),
  output: nothing(),
})

export const unsubscribePush = endpoint({
  name: 'push.unsubscribe',
  method: 'DELETE',
  path: '/push/subscriptions',
  who: 'login',
  when_offline: 'fail',
  about: '這台裝置不再收推播（登出時用）',
  input: z.object({ endpoint: endpoint_url() }),
  output: nothing(),
})

export const testPush = endpoint({
  name: 'push.self-test',
  method: 'POST',
  path: '/push/self-test',
  who: 'login',
  when_offline: 'fail',
  about: '傳一則測試推播給我的每一台裝置',
  input: z.object({}),
  output: z.array(self_test),
})
