// /demo-receivers: there in `npm run demo`, and nowhere else: only its command opens this door.
import { Hono } from 'hono'
import type { App } from '../context.ts'
import { pagePolicy, secureHeaders } from '../http/secure.ts'
import { newestMails } from './mails.ts'
import { columns, receiversPage, type ToldColumn } from './page.ts'
import { DEMO_CHANNELS, type Tray } from './tray.ts'

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
