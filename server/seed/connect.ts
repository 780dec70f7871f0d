// Connects the demonstration's trader with the receivers, through the calls that screens make.
import { setTimeout } from 'node:timers/promises'
import { bindLine, bindTelegram, getLineBinding, getTelegramBinding } from '#contract/binding.ts'
import { listChannels, updateChannel, updateNotificationSetting } from '#contract/notification.ts'
import { login } from '#contract/session.ts'
import { DEMO_DISCORD } from '../demo/plain.ts'
import type { Stand } from '../demo/stand.ts'
import { call } from './call.ts'

/** The first time everything is bound, mail switched on and the order of channels emptied; later only the address of the program follows the port. */
export async function connectReceivers(
  url: string,
  stand: Stand,
  { account, password }: { account: string; password: string },
): Promise<void> {
  const { access_token } = await call(url, login, { account, password })
  const standing = new Map((await call(url, listChannels, {}, access_token)).map((one) => [one.channel, one]))
  const is = (channel: 'telegram' | 'line' | 'discord' | 'webhook') => standing.get(channel)?.state
  const first = is('webhook') === 'off' && is('discord') === 'off'
  await call(url, updateChannel, { channel: 'webhook', address: `${stand.url}/robot` }, access_token)
  if (!first) return
  await call(url, updateChannel, { channel: 'discord', address: DEMO_DISCORD }, access_token)
  // All at once: each receiver of the demonstration shows what comes there. By the order that nobody chose the first would be the only one.
  const all = { 'kinds.signal.email': true, 'fallback.order': [] }
  await call(url, updateNotificationSetting, all, access_token)
  for (const { channel, bind, binding } of BOUND) {
    if (is(channel) !== 'off') continue
    const { deep_link } = await call(url, bind, {}, access_token)
    const code = /[\w-]{22}(?![\w-])/.exec(decodeURIComponent(deep_link ?? ''))?.[0]
    if (!code) continue
    stand.tray.speakers.get(channel)?.(channel === 'telegram' ? `/start ${code}` : code)
    // the chat waits for the person's yes (decision 070); without it the demonstration goes on, and the screen asks
    for (let looks = 0; looks < LOOKS; looks++) {
      const { waiting } = await call(url, binding, {}, access_token)
      if (waiting) {
        await call(url, bind, { confirm: waiting.id }, access_token)
        break
      }
      await setTimeout(LOOK_MS)
    }
  }
}

const BOUND = [
  { channel: 'telegram', bind: bindTelegram, binding: getTelegramBinding },
  { channel: 'line', bind: bindLine, binding: getLineBinding },
] as const
const LOOK_MS = 200
const LOOKS = 100
