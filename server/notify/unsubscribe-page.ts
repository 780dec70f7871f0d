// The small page behind the link of a mail: asks whether mails of a kind should end, and says that they did.
import { KIND_NAMES, type NotificationKind } from '#contract/channels.ts'

/** `ask` = before, `done` = after; `unknown` = no link of ours; `later` = it could not be stored now. */
export type LeaveStep = 'ask' | 'done' | 'unknown' | 'later'

/** The whole page, without scripts: mail programs show it in browsers of their own. */
export function leavePage(step: LeaveStep, kind?: NotificationKind): string {
  const word = kind ? `「${KIND_NAMES[kind]}」` : ''
  const { title, text, form } = {
    ask: {
      title: `不再用電子郵件收${word}？`,
      text: `確定後，凌波不再寄${word}的通知到這個信箱；其他通道與其他種類不變。`,
      form: '<form method="post"><button>不再寄送</button></form>',
    },
    done: {
      title: '已停止寄送',
      text: `凌波不會再寄${word}的通知到這個信箱。想再收到時，到通知設定打開電子郵件那一格。`,
      form: '<p><a href="/signal-notification?tab=setting">通知設定</a></p>',
    },
    unknown: {
      title: '這個連結不能用',
      text: '連結不完整，或這個信箱已經不是那個帳號的電子郵件。要改通知，請登入凌波到通知設定。',
      form: '<p><a href="/signal-notification?tab=setting">通知設定</a></p>',
    },
    later: {
      title: '現在無法儲存',
      text: '還沒有停止寄送，請稍後再試一次。',
      form: '',
    },
  }[step]
  return `<!doctype html><html lang="zh-Hant-TW"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title} · 凌波 LingBo</title><style>${STYLE}</style></head>
<body><main><p class="brand">凌波 LingBo</p><h1>${title}</h1><p>${text}</p>${form}</main></body></html>`
}

const STYLE = `:root{color-scheme:light dark;--ground:#f3f5f8;--sheet:#fff;--line:#e2e6ec;--ink:#121a27;--soft:#5b6677;--blue:#245fd4;--fill:#245fd4}
@media(prefers-color-scheme:dark){:root{--ground:#0e131b;--sheet:#151c27;--line:#253042;--ink:#e9eef5;--soft:#939fb1;--blue:#85aaff;--fill:#2d69de}}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.7 'Noto Sans TC','PingFang TC','Microsoft JhengHei',sans-serif;color:var(--ink);background:var(--ground)}
main{box-sizing:border-box;width:min(480px,calc(100vw - 32px));padding:24px;background:var(--sheet);border:1px solid var(--line);border-radius:12px}
.brand{margin:0 0 16px;color:var(--soft);font-size:14px}h1{margin:0 0 8px;font-size:20px;line-height:1.4}p{margin:0 0 16px}
button{min-height:44px;padding:0 24px;border:0;border-radius:8px;font:inherit;font-weight:600;color:#fff;background:var(--fill);cursor:pointer}
a{display:inline-block;min-height:44px;line-height:44px;color:var(--blue)}`
