// Stands in for Telegram's Bot API in the demonstration: one chat with one person, whose words are typed on the page.

import type { DemoReply, DemoRequest } from './ask.ts'
import type { Tray } from './tray.ts'

const PERSON = { id: 700_000_001, is_bot: false, first_name: '林小波', username: 'linxiaobo' }
const CHAT = { id: PERSON.id, type: 'private', first_name: PERSON.first_name, username: PERSON.username }
const BOT = { id: 100_000_001, is_bot: true, first_name: '凌波', username: 'lingbo_demo_bot' }
/** At most so long is an empty question held open. */
const HELD_S = 20

export function demoTelegram(tray: Tray): (ask: DemoRequest) => Promise<DemoReply> {
  // Numbers go on where those before the last start ended: the bot remembers how far it read.
  let number = Math.floor(Date.now() / 1_000)
  let updates: { update_id: number }[] = []
  let wake = () => {}
  const well = (result: unknown): DemoReply => ({ status: 200, body: { ok: true, result } })
  tray.speakers.set('telegram', (text) => {
    const date = Math.floor(Date.now() / 1_000)
    const entities = text.startsWith('/')
      ? [{ type: 'bot_command', offset: 0, length: text.split(' ')[0]?.length ?? 0 }]
      : []
    const message = { message_id: ++number, date, chat: CHAT, from: PERSON, text, entities }
    updates.push({ update_id: ++number, message } as { update_id: number })
    tray.put('telegram', `（我）${text}`, message)
    wake()
  })
  const waiting = (seconds: number, left: AbortSignal) =>
    new Promise<void>((next) => {
      const timer = setTimeout(next, seconds * 1_000)
      wake = () => {
        clearTimeout(timer)
        next()
      }
      left.addEventListener('abort', wake, { once: true })
    })

  return async ({ path, body, left }) => {
    const method = path.split('/').at(-1)
    const said = body as Record<string, unknown>
    switch (method) {
      case 'getMe':
        return well(BOT)
      case 'getUpdates': {
        const from = Number(said['offset'] ?? 0)
        updates = updates.filter(({ update_id }) => update_id >= from)
        if (updates.length === 0) await waiting(Math.min(Number(said['timeout'] ?? 0), HELD_S), left)
        return well(updates)
      }
      case 'sendMessage': {
        tray.put('telegram', String(said['text'] ?? ''), said, buttons(said['reply_markup']))
        const date = Math.floor(Date.now() / 1_000)
        return well({ message_id: ++number, date, chat: CHAT, from: BOT, text: said['text'] })
      }
      default:
        return well(true)
    }
  }
}

function buttons(markup: unknown): { label: string; url: string }[] {
  const { inline_keyboard = [] } = (markup ?? {}) as { inline_keyboard?: { text: string; url?: string }[][] }
  return inline_keyboard.flat().flatMap(({ text, url }) => (url ? [{ label: text, url }] : []))
}
