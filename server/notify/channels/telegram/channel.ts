// Telegram: a message in a chat that a person bound, as plain text.
import type { App } from '../../../context.ts'
import type { Channel, SendResult } from '../../channel.ts'
import { markOf } from '../../receivers.ts'
import { textOf } from '../../words.ts'
import { botOf, GROUP, inThread, isGroup, pause, resultOf } from './bot.ts'
import { runBot } from './updates.ts'

/** So long a message waits here for its turn; beyond it the place is left to another chat. */
const WAIT_MS = 1_500

export const telegram: Channel = {
  id: 'telegram',
  receivers: 'rows',
  gathers: true,
  rests: true,
  confirms: true,
  pace: { at_once: 10, per_receiver_ms: 1_000, per_second: 25 },
  signsIn: ({ address }) => !isGroup(address),
  unavailable: ({ config }) => (config.telegram_bot_token === null ? '此伺服器未設定 Telegram Bot' : null),
  async send(app, { id, address, config }, message, signal): Promise<SendResult> {
    const bot = botOf(app)
    if (bot === null) return { kind: 'refused', reason: '此伺服器未設定 Telegram Bot', ours: true }
    const others = isGroup(address) ? await waitForGroup(app, id) : 0
    if (others > 0) return { kind: 'wait', after_ms: others }
    for (;;) {
      const wait = bot.rate.take(address, performance.now())
      if (wait === 0) break
      if (wait > WAIT_MS) return { kind: 'wait', after_ms: wait }
      await pause(wait, signal)
    }
    try {
      // The library's type of a signal is that of Node 12.
      await bot.api.sendMessage(
        address,
        textOf(message),
        { ...quietly, ...inThread(config['thread']) },
        signal as never,
      )
      return { kind: 'sent' }
    } catch (error) {
      const result = resultOf(error)
      return result.kind === 'migrated' ? movedTo(app, result.chat) : result
    }
  },
  run: (app) => runBot(app),
}

/** How long a group has to wait for what every process together sent to it. */
async function waitForGroup({ db, now }: Pick<App, 'db' | 'now'>, receiver_id: string): Promise<number> {
  const rows = await db
    .selectFrom('notification_deliveries')
    .select('sent_at')
    .distinct()
    .where('receiver_id', '=', receiver_id)
    .where('sent_at', '>', new Date(now() - GROUP.within_ms).toISOString())
    .orderBy('sent_at', 'desc')
    .limit(GROUP.most)
    .execute()
  const first = rows[GROUP.most - 1]?.sent_at
  return first ? Math.max(1, Date.parse(first) + GROUP.within_ms - now()) : 0
}

const quietly = { link_preview_options: { is_disabled: true } }

function movedTo(app: Pick<App, 'keys'>, address: string): SendResult {
  return { kind: 'moved', address, address_mark: markOf(app, 'telegram', address) }
}
