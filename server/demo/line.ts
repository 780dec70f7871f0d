// Stands in for LINE's Messaging API in the demonstration: one friend of the official account, whose words are typed on the page.
import { createHmac, randomUUID } from 'node:crypto'
import type { DemoReply, DemoRequest } from './ask.ts'
import type { Tray } from './tray.ts'

const FRIEND = `U${'1'.repeat(32)}`
/** Messages a month of the largest plan: with the free one's 200 the demonstration is silent within the hour. */
const MONTH = 6_000

export function demoLine(
  tray: Tray,
  there: { readonly secret: string; readonly app_url: string },
): (ask: DemoRequest) => Promise<DemoReply> {
  let sent = 0
  const tell = async (text: string) => {
    const event = {
      type: 'message',
      mode: 'active',
      timestamp: Date.now(),
      source: { type: 'user', userId: FRIEND },
      webhookEventId: randomUUID(),
      deliveryContext: { isRedelivery: false },
      replyToken: randomUUID().replaceAll('-', ''),
      message: { id: String(Date.now()), type: 'text', text },
    }
    const body = JSON.stringify({ destination: `U${'0'.repeat(32)}`, events: [event] })
    const signature = createHmac('sha256', there.secret).update(body).digest('base64')
    const answer = await fetch(`${there.app_url}/api/v1/line/updates`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-line-signature': signature },
      body,
    })
    if (!answer.ok) tray.put('line', `（送不到凌波：${answer.status}）`, event)
  }
  tray.speakers.set('line', (text) => {
    tray.put('line', `（我）${text}`, { text })
    tell(text).catch(() => tray.put('line', '（送不到凌波）', { text }))
  })
  return async ({ path, body }) => {
    const said = body as { messages?: { text?: string; altText?: string }[] }
    if (/\/message\/(push|reply)$/.test(path)) {
      if (path.endsWith('push')) sent++
      const texts = (said.messages ?? []).map(({ text, altText }) => text ?? altText ?? '')
      tray.put('line', texts.join('\n'), said)
      return { status: 200, body: { sentMessages: [{ id: String(Date.now()) }] } }
    }
    if (path.endsWith('/quota')) return { status: 200, body: { type: 'limited', value: MONTH } }
    if (path.endsWith('/consumption')) return { status: 200, body: { totalUsage: sent } }
    if (path.includes('/profile/'))
      return { status: 200, body: { userId: FRIEND, displayName: '林小波', language: 'zh-Hant' } }
    if (path.endsWith('/info'))
      return { status: 200, body: { userId: `U${'0'.repeat(32)}`, basicId: '@lingbo', displayName: '凌波' } }
    return { status: 200, body: {} }
  }
}
