// The texts of our mails: what happened, what to do, and what to do when it was not you.
import type { Mail } from './mailer.ts'

interface Letter {
  readonly to: string
  readonly name: string
  readonly subject: string
  readonly lines: readonly string[]
  /** Shown large, in its own line. */
  readonly code?: string
  readonly link?: { label: string; url: string }
  readonly note: string
}

/** The code that proves an address. */
export function verificationMail(to: string, name: string, code: string, minutes: number): Mail {
  return write({
    to,
    name,
    subject: `${code} 是你的凌波驗證碼`,
    lines: ['請在凌波輸入這個驗證碼，完成電子郵件驗證：'],
    code,
    note: `驗證碼 ${minutes} 分鐘內有效。若這不是你的操作，不必理會這封信。`,
  })
}

/** To the owner of an address that somebody tried to register again (ruling A30). */
export function alreadyRegisteredMail(to: string, name: string, public_url: string): Mail {
  return write({
    to,
    name,
    subject: '你已經有凌波帳號',
    lines: [
      '有人用這個電子郵件註冊凌波，但這個帳號早已存在，因此沒有任何變更。',
      '若是你本人，直接登入就可以：',
    ],
    link: { label: '登入凌波', url: `${public_url}/login` },
    note: '若不是你，不必做任何事，你的帳號與密碼都沒有改變。',
  })
}

function write({ to, name, subject, lines, code, link, note }: Letter): Mail {
  const text = [
    `${name} 你好：`,
    ...lines,
    ...(code ? [code] : []),
    ...(link ? [`${link.label}：${link.url}`] : []),
    note,
    '— 凌波 LingBo',
  ].join('\n\n')
  const paragraph = (line: string) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`
  const html = `<!doctype html><html lang="zh-Hant"><meta charset="utf-8"><title>${escapeHtml(subject)}</title>
<body style="margin:0;padding:24px;font:16px/1.7 'Noto Sans TC','PingFang TC','Microsoft JhengHei',sans-serif;color:#1a2230;background:#f5f6f8">
<div style="max-width:480px;margin:0 auto;padding:24px;background:#fff;border-radius:12px">
${paragraph(`${name} 你好：`)}${lines.map(paragraph).join('')}
${code ? `<p style="margin:0 0 16px;font:600 32px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px">${escapeHtml(code)}</p>` : ''}
${link ? `<p style="margin:0 0 16px"><a href="${escapeHtml(link.url)}" style="color:#0b5cad">${escapeHtml(link.label)}</a></p>` : ''}
<p style="margin:0;color:#5b6675;font-size:14px">${escapeHtml(note)}</p></div></body></html>`
  return { to, subject, text, html }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
