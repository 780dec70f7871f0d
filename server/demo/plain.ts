// Stand in for a Discord channel and for somebody's own program in the demonstration: they only listen.

import type { DemoReply, DemoRequest } from './ask.ts'
import type { Tray } from './tray.ts'

/** The address of the demonstration's Discord webhook, as a person copies it out of Discord. */
export const DEMO_DISCORD = `https://discord.com/api/webhooks/100000000000000001/${'demo'.repeat(17)}`

export function demoDiscord(tray: Tray): (ask: DemoRequest) => Promise<DemoReply> {
  return async ({ method, body }) => {
    if (method === 'GET')
      return { status: 200, body: { id: '100000000000000001', type: 1, name: '盤中訊號' } }
    const { content = '' } = body as { content?: string }
    // Our own message ends in one link: its words between the last brackets, its address behind them.
    const from = content.lastIndexOf('[')
    const middle = content.indexOf('](<', from)
    const is_link = from >= 0 && middle > from
    const text = (is_link ? content.slice(0, from) : content)
      .replace(/\\(.)/g, '$1')
      .replaceAll('**', '')
      .trim()
    const label = content.slice(from + 1, middle)
    const url = content.slice(middle + 3, content.lastIndexOf('>)'))
    tray.put('discord', text, body, is_link ? [{ label, url }] : [])
    return { status: 200, body: { id: String(Date.now()), content } }
  }
}

/** Says of each message what a program would look at first; whether it is genuine only the owner of the secret can tell. */
export function demoRobot(tray: Tray): (ask: DemoRequest) => Promise<DemoReply> {
  return async ({ headers, body }) => {
    const { type = '?', data } = body as { type?: string; data?: Record<string, unknown> | null }
    const record = data
      ? `${data['symbol']} ${data['action']} ${data['quantity'] ?? ''} @ ${data['price'] ?? '—'}`
      : ''
    const signed = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headers[name]]),
    )
    tray.put('webhook', `${type} ${record}`.trim(), { headers: signed, body })
    return { status: 204, body: null }
  }
}
