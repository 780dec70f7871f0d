// How a message looks where it arrives: a lock screen, the bubble of a chat, a Discord channel, a program's log.
import { escapeHtml } from '#server/mail/messages.ts'

const page = (style: string, body: string) =>
  `<!doctype html><meta charset="utf-8"><style>*{box-sizing:border-box}body{margin:0;padding:24px 16px;font:15px/1.5 system-ui,'Noto Sans TC','Noto Sans CJK TC',sans-serif;white-space:pre-wrap;overflow-wrap:anywhere}${style}</style>${body}`

const linked = (text: string) =>
  escapeHtml(text).replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)

interface Shown {
  notification: { title: string; body: string }
}

/** Notifications over a dark picture, the newest above. */
export function lockScreen(pushes: readonly Shown[]): string {
  const cards = pushes.map(
    ({ notification: { title, body } }) =>
      `<div class="card"><div class="app"><i></i>凌波 LingBo<span>現在</span></div><b>${escapeHtml(title)}</b>\n${escapeHtml(body)}</div>`,
  )
  return page(
    'body{background:linear-gradient(#1b2b4b,#0e131b);color:#fff}.clock{text-align:center;font-size:56px;line-height:1.2;margin-bottom:16px;font-variant-numeric:tabular-nums}.card{background:rgb(255 255 255/.16);border-radius:18px;padding:12px 16px;margin-top:8px;font-size:14px}.app{display:flex;gap:8px;align-items:center;font-size:12px;opacity:.85;margin-bottom:4px}.app span{margin-left:auto}.app i{width:18px;height:18px;border-radius:5px;background:#2460d8}',
    `<div class="clock">08:46</div>${cards.join('')}`,
  )
}

const CHAT = {
  telegram:
    'body{background:#d6e4ee}.bubble{background:#fff;border-radius:12px 12px 12px 4px}a{color:#2481cc}',
  line: 'body{background:#8cabd8}.bubble{background:#fff;border-radius:18px;margin-left:8px}a{color:#1559b7}',
} as const

export function chat(kind: keyof typeof CHAT, from: string, text: string): string {
  return page(
    `${CHAT[kind]}.bubble{max-width:330px;padding:10px 14px;width:fit-content}.from{font-size:13px;opacity:.75;margin-bottom:4px}`,
    `<div class="from">${from}</div><div class="bubble">${linked(text)}</div>`,
  )
}

/** What Discord makes of its signs: bold, escapes, and a link whose address is not unfolded. */
export function discord(content: string): string {
  const html = escapeHtml(content)
    .replace(/\*\*(.+?)\*\*/g, '<b>$1</b>')
    .replace(/\[([^\]]+)\]\(&#60;(.+?)&#62;\)/g, '<a href="$2">$1</a>')
    .replace(/\\([^\w\s&])/g, '$1')
  return page(
    'body{background:#313338;color:#dbdee1}a{color:#00a8fc}.post{display:flex;gap:12px}.post i{flex:none;width:40px;height:40px;border-radius:50%;background:#2460d8}.who{color:#fff;font-weight:600}.who span{font-weight:400;font-size:12px;color:#949ba4;margin-left:8px}',
    `<div class="post"><i></i><div><div class="who">盤中訊號<span>Webhook · 今天 08:46</span></div>${html}</div></div>`,
  )
}

/** The request as a program sees it. */
export function robot(head: { id: string; seconds: number; signed: string }, body: string): string {
  const text = [
    'POST /signals HTTP/1.1',
    'content-type: application/json',
    `webhook-id: ${head.id}`,
    `webhook-timestamp: ${head.seconds}`,
    `webhook-signature: ${head.signed}`,
    '',
    JSON.stringify(JSON.parse(body), null, 2),
  ].join('\n')
  return page(
    'body{background:#0e131b;color:#cdd6e3;font:13px/1.5 ui-monospace,"DejaVu Sans Mono","Noto Sans CJK TC",monospace}',
    escapeHtml(text),
  )
}
