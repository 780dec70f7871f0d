// The self-test of a channel: one message now, past plan and settings, with the time it took or the reason why not.
import type { ChannelId } from '#contract/channels.ts'
import type { SelfTestReport } from '#contract/notification.ts'
import type { Actor, App } from '../context.ts'
import { newId } from '../ids.ts'
import type { Channel, OutgoingMessage, Receiver } from './channel.ts'
import { findMailbox, openReceiver, receiversOf } from './receivers.ts'
import { tried } from './send.ts'

/** Tests every receiver of the channel; a channel without any says what is missing. Once in half a minute for each channel. */
export async function selfTest(
  app: App,
  actor: Pick<Actor, 'uid' | 'email' | 'email_verified'>,
  id: ChannelId,
): Promise<SelfTestReport[]> {
  await app.limits.take('self_test', `${actor.uid} ${id}`)
  const channel = app.channels[id]
  const missing = (reason: string): SelfTestReport[] => [
    { delivered: false, reason, milliseconds: null, device_label: null },
  ]
  const none = channel.unavailable(app)
  if (none !== null) return missing(none)
  if (channel.receivers === 'inbox')
    return [{ delivered: true, reason: null, milliseconds: 0, device_label: null }]
  if (channel.receivers === 'mail') {
    if (!actor.email_verified) return missing('電子郵件還沒有驗證，請先到個人設定驗證')
    const to = { id: actor.uid, uid: actor.uid, address: actor.email, name: null, config: {} }
    return [await testOne(app, channel, to, null)]
  }
  const rows = await receiversOf(app.db, actor.uid, id)
  if (rows.length === 0) return missing('還沒有連結，請先在上方連結這個通道')
  return Promise.all(
    rows.map((row) =>
      row.state === 'gone'
        ? { delivered: false, reason: row.reason ?? '已經失效', milliseconds: null, device_label: row.name }
        : testOne(app, channel, openReceiver(app, row), row.name),
    ),
  )
}

/** Of several receivers the one that fails: it is what there is to mend. When all arrived, the one that took the longest. */
export function inOne(reports: readonly SelfTestReport[]): SelfTestReport {
  const failed = reports.find(({ delivered }) => !delivered)
  const slowest = reports.toSorted((a, b) => (b.milliseconds ?? 0) - (a.milliseconds ?? 0))[0]
  return failed ?? slowest ?? { delivered: false, reason: null, milliseconds: null, device_label: null }
}

async function testOne(
  app: App,
  channel: Channel,
  receiver: Receiver,
  device_label: string | null,
): Promise<SelfTestReport> {
  const started = performance.now()
  const result = await tried(app, channel, receiver, testMessage(app), new AbortController().signal)
  const milliseconds = Math.round(performance.now() - started)
  const rows = app.db.updateTable('channel_receivers').where('id', '=', receiver.id)
  if (result.kind === 'sent') {
    if (channel.receivers === 'mail') await findMailbox(app, receiver.address)
    else
      await rows
        .set({ state: 'bound', reason: null, last_ok_at: new Date(app.now()).toISOString() })
        .execute()
    return { delivered: true, reason: null, milliseconds, device_label }
  }
  if (result.kind === 'lost' && channel.receivers === 'rows')
    await rows.set({ state: result.state, reason: result.reason }).execute()
  const reason =
    result.kind === 'moved'
      ? '對方換了地址，請再試一次'
      : result.kind === 'wait'
        ? '送到這裡的訊息太密集，請稍後再試'
        : result.reason
  return { delivered: false, reason, milliseconds, device_label }
}

function testMessage(app: App): OutgoingMessage {
  return {
    key: newId(),
    kind: 'test',
    words: { title: '凌波測試通知', lines: ['收到這一則，就表示這個通道可以用了'] },
    count: 1,
    notification_id: null,
    strategy_id: null,
    url: `${app.config.public_url}/signal-notification`,
    ctx: 'personal',
    record: null,
    urgent: true,
    unread: 0,
    at: new Date(app.now()).toISOString(),
  }
}
