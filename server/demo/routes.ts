// /demo-receivers: there in `npm run demo`, and nowhere else: only its command opens this door.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { pageColours } from '../brand.ts'
import type { App } from '../context.ts'
import { pagePolicy, secureHeaders } from '../http/secure.ts'
import { DEMO_CHANNELS, type DemoChannel, type Tray } from './receivers.ts'

// The newest letters of the mail folder, as far as the demonstration's page shows them.

interface ShownMail {
  readonly at: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

const SHOWN = 20

async function newestMails(data_dir: string): Promise<ShownMail[]> {
  const folder = join(data_dir, 'mail')
  const names = await readdir(folder).catch(() => [] as string[])
  const newest = names
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse()
    .slice(0, SHOWN)
  return Promise.all(newest.map(async (name) => shown(await readFile(join(folder, name), 'utf8'))))
}

/** Enough of MIME for the letters that this server writes. */
function shown(source: string): ShownMail {
  const header = (name: string) => {
    const raw = new RegExp(`^${name}:((?:.*)(?:\\n[ \\t].*)*)`, 'mi').exec(source)?.[1] ?? ''
    return words(raw.replace(/\n[ \t]/g, ' ').trim())
  }
  const part = source.split(/^--.*$/m).find((piece) => /content-type: text\/plain/i.test(piece)) ?? ''
  const [head = '', ...rest] = part.trimStart().split('\n\n')
  const raw = rest.join('\n\n').trim()
  const text = /base64/i.test(head)
    ? Buffer.from(raw, 'base64').toString('utf8')
    : /quoted-printable/i.test(head)
      ? quoted(raw.replace(/=\n/g, ''))
      : raw
  return { at: new Date(header('date')).toISOString(), to: header('to'), subject: header('subject'), text }
}

function words(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, kind: string, value: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(value, 'base64').toString('utf8')
        : quoted(value.replaceAll('_', ' ')),
    )
}

function quoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

// The page of the demonstration's receivers: one column for each channel, newest first, asked for again every two seconds.

const TITLES: Record<DemoChannel, [string, string]> = {
  telegram: ['Telegram', '綁定時把一次性代碼貼進來，就像在 Telegram 按 START；也可以輸入 /today、/help'],
  line: ['LINE', '綁定時把代碼傳給官方帳號'],
  discord: ['Discord', '頻道「盤中訊號」'],
  webhook: ['外送 Webhook', '你自己的程式會收到的內容與簽章'],
}

/** What stands in a column besides what a channel's receiver got. */
interface ToldColumn {
  readonly title: string
  readonly about: string
  readonly items: readonly { readonly at: string; readonly head: string; readonly text: string }[]
}

/** The columns alone: what changes. */
export function columns(tray: Tray, more: readonly ToldColumn[]): string {
  const chats = DEMO_CHANNELS.map((channel) => {
    const items = tray.of(channel).map(({ at, text, links, raw }) => {
      const ways = links.map(({ label, url }) => `<a href="${safe(url)}">${safe(label)}</a>`).join(' ')
      return `<li><time>${clock(at)}</time><p>${linked(text)}</p>${ways}<details><summary>原始內容</summary><pre>${safe(raw)}</pre></details></li>`
    })
    return column(TITLES[channel], items)
  })
  const others = more.map(({ title, about, items }) =>
    column(
      [title, about],
      items.map(
        ({ at, head, text }) =>
          `<li><time>${clock(at)}</time><b>${safe(head)}</b><details><summary>內容</summary><p>${safe(text)}</p></details></li>`,
      ),
    ),
  )
  return [...chats, ...others].join('')
}

/** The whole page. Whoever may be spoken to has a field at the top, outside of what changes. */
function receiversPage(tray: Tray, more: readonly ToldColumn[]): string {
  const forms = DEMO_CHANNELS.filter((channel) => tray.speakers.has(channel))
    .map(
      (channel) =>
        `<form method="post" action="/demo-receivers/${channel}"><label>傳到 ${TITLES[channel][0]} <input name="text" required maxlength="200" autocomplete="off"></label><button>送出</button></form>`,
    )
    .join('')
  return `<!doctype html><html lang="zh-Hant-TW"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>示範的接收端 · 凌波 LingBo</title><style>${STYLE}</style></head>
<body><header><h1>示範的接收端</h1><p>沒有任何外部帳號：凌波送到 Telegram、LINE、Discord 與外送 Webhook 的內容都到這裡，電子郵件沒有設定 SMTP 時也是；推播只列出交給了誰。<a href="/signal-notification">回凌波</a></p><div class="say">${forms}</div></header>
<main id="all">${columns(tray, more)}</main><script>${SCRIPT}</script></body></html>`
}

function column([title, about]: readonly [string, string], items: readonly string[]): string {
  const list = items.length > 0 ? `<ol>${items.join('')}</ol>` : '<p class="none">還沒有收到</p>'
  return `<section><h2>${title} <small>${items.length}</small></h2><p class="about">${about}</p>${list}</section>`
}

/** What stands in a chat as an address is a link there. */
const linked = (text: string) =>
  safe(text).replace(/https?:\/\/[^\s&<]+(?:&#38;[^\s&<]+)*/g, (url) => `<a href="${url}">${url}</a>`)
const safe = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const CLOCK = new Intl.DateTimeFormat('zh-TW', {
  timeZone: 'Asia/Taipei',
  hourCycle: 'h23',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const clock = (at: string) => CLOCK.format(new Date(at))

// What is open stays open: a column is laid anew only when something came.
const SCRIPT = `let last='';setInterval(async()=>{try{const t=await(await fetch('/demo-receivers?part=1')).text();if(last&&t!==last)document.getElementById('all').innerHTML=t;last=t}catch{document.title='（已停止）示範的接收端'}},2000)`
const STYLE = `${pageColours('ground', 'card', 'ink', 'ink-3', 'line', 'edge', 'brand', 'brand-fill', 'on-brand')}body{margin:0;padding:16px;font:15px/1.6 'Noto Sans TC','PingFang TC','Microsoft JhengHei',sans-serif;color:var(--ink);background:var(--ground)}
h1{margin:0;font-size:22px}h2{margin:0;font-size:17px}small,.about,.none,time{color:var(--ink-3);font-size:13px}header p{margin:4px 0 12px}
.say{display:flex;flex-wrap:wrap;gap:0 24px}form{display:flex;flex:0 1 480px;flex-wrap:wrap;gap:8px;align-items:end;margin:0 0 12px}label{display:grid;flex:1 1 220px;max-width:420px;font-size:13px;color:var(--ink-3)}
input{min-height:44px;padding:0 12px;border:1px solid var(--edge);border-radius:8px;font:inherit;color:var(--ink);background:var(--card)}
button{min-height:44px;padding:0 16px;border:0;border-radius:8px;font:inherit;font-weight:600;color:var(--on-brand);background:var(--brand-fill)}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(320px,100%),1fr));gap:16px;align-items:start}
section{min-width:0;padding:16px;background:var(--card);border:1px solid var(--line);border-radius:12px}.about{margin:0 0 12px}ol{display:grid;gap:12px;max-height:60vh;overflow:auto;margin:0;padding:0;list-style:none}
li{padding-top:12px;border-top:1px solid var(--line);overflow-wrap:anywhere}li p{margin:2px 0 4px;white-space:pre-wrap}li b{display:block}
pre{margin:4px 0 0;max-height:280px;overflow:auto;font-size:12px;white-space:pre-wrap}header a{white-space:nowrap}li>a{display:inline-block;line-height:44px}summary{min-height:44px;line-height:44px;font-size:13px;color:var(--ink-3);cursor:pointer}a{color:var(--brand)}`

let opened: Tray | null = null

/** Whoever starts the demonstration says so before the server starts. */
export function openDoor(tray: Tray): void {
  opened = tray
}

/** The page, where the demonstration runs. */
export function demoDoor(app: App): Hono | null {
  const tray = opened
  if (tray === null) return null
  const router = new Hono()
  const html = (text: string) =>
    new Response(text, {
      headers: {
        ...secureHeaders(app.config.public_url),
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': pagePolicy(text),
      },
    })
  router.get('/', async (c) => {
    const more = [await mails(app), await pushes(app)]
    return html(c.req.query('part') === undefined ? receiversPage(tray, more) : columns(tray, more))
  })
  router.post('/:channel', async (c) => {
    const channel = DEMO_CHANNELS.find((one) => one === c.req.param('channel'))
    const { text } = await c.req.parseBody()
    if (channel && typeof text === 'string' && text.trim() !== '')
      tray.speakers.get(channel)?.(text.trim().slice(0, 200))
    return c.redirect('/demo-receivers', 303)
  })
  return router
}

async function mails(app: App): Promise<ToldColumn> {
  const all = await newestMails(app.config.data_dir)
  return {
    title: '電子郵件',
    about:
      app.config.smtp_url === null ? '沒有 SMTP，信寫成 .eml 檔' : '信由 SMTP_URL 的伺服器寄出，不在這裡',
    items: all.map(({ at, to, subject, text }) => ({ at, head: `${subject} → ${to}`, text })),
  }
}

/** A push goes to the service of the browser's maker: what was handed over is all that can be shown. */
async function pushes({ db }: App): Promise<ToldColumn> {
  const rows = await db
    .selectFrom('notification_deliveries as delivery')
    .innerJoin('notifications', 'notifications.id', 'delivery.notification_id')
    .select(['delivery.sent_at', 'delivery.created_at', 'delivery.device_label', 'delivery.state'])
    .select(['notifications.title', 'notifications.body', 'delivery.reason'])
    .where('delivery.channel', '=', 'push')
    .orderBy('delivery.id', 'desc')
    .limit(20)
    .execute()
  return {
    title: '推播',
    about:
      '推播送到瀏覽器自己的推播服務，這裡收不到：列的是這台伺服器記下的通知與狀態，裝置上顯示多少照它的隱私設定',
    items: rows.map(({ sent_at, created_at, device_label, state, title, body, reason }) => ({
      at: sent_at ?? created_at,
      head: `${title} → ${device_label ?? '裝置'}`,
      text: [body, `狀態 ${state}`, reason].filter(Boolean).join('\n'),
    })),
  }
}
