// The texts of our mails: what happened, what to do, and what to do when it was not you.
import { hasAddress } from '#contract/fields.ts'
import { RESET_LIFE_S } from '#contract/limits.ts'
import { ROLE_NAMES, type Role } from '#contract/permissions.ts'
import { dayWords } from '#trading/calendar.ts'
import { colour } from '../brand.ts'
import type { Config } from '../config.ts'
import type { Mail } from './mailer.ts'

// A name of somebody else's choosing as it may stand in a mail: also one from before names were checked.

/**
 * One line without invisible signs, at most 60 characters; the words that read like addresses are left out. Nobody knows all
 * endings of addresses, and mail programs make links of what they know: after a dot stands a space.
 */
export function quoted(name: string): string {
  return plainName(name).replace(/(?<=[\p{L}\p{N}-])([.．。｡])(?=\p{L})/gu, '$1 ') || '凌波的使用者'
}

/** The same; '' when nothing of it is left. */
export function plainName(name: string): string {
  const line = name
    .replace(/[\s\u0085\u2028\u2029]+/g, ' ')
    .replace(/(?![\u200c\u200d])\p{C}/gu, '')
    .split(' ')
    .filter((word) => !hasAddress(word))
    .join(' ')
    .trim()
  return [...line].slice(0, 60).join('')
}

// An address as somebody may see it who need not be its owner.

/** The address as whoever holds the link may see it: enough to recognise, too little to learn. */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@')
  return `${local.slice(0, local.length > 3 ? 2 : 1)}***@${domain}`
}

// Where mails end on this server: sent, fetched by another program, or left as files.

/** True when mails are written as files and nobody fetches them: whoever is told of a mail must be told where it lies. */
export function mailStays({ smtp_url, mail_pickup }: Pick<Config, 'smtp_url' | 'mail_pickup'>): boolean {
  return smtp_url === null && !mail_pickup
}

const NOT_YOU = '若不是你本人，請立刻到登入頁按「忘記密碼」設定新密碼，並檢查登入中的裝置。'

export interface Letter {
  readonly to: string
  readonly name: string
  readonly subject: string
  readonly lines: readonly string[]
  /** Shown large, in its own line. */
  readonly code?: string
  readonly link?: { label: string; url: string }
  readonly note: string
  /** In small print at the end: how to get no more of these. */
  readonly leave?: { label: string; url: string }
}

/** The code that proves an address. */
export function verificationMail(to: string, name: string, code: string, minutes: number): Mail {
  return write({
    to,
    name,
    // not the code itself: subjects stand on locked screens, in logs and in lists over somebody's shoulder
    subject: '你的凌波驗證碼',
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

/** The link for a forgotten password; it stands nowhere but in this mail. */
/** `return_to`: the page that was wanted before, as `judgeReturnTo` passed it. */
export function forgotPasswordMail(
  to: string,
  name: string,
  public_url: string,
  token: string,
  return_to: string | null,
): Mail {
  const query = new URLSearchParams({ token, ...(return_to && { returnTo: return_to }) })
  return write({
    to,
    name,
    subject: '重設你的凌波密碼',
    lines: ['有人要求重設這個帳號的密碼。按下面的連結，就能設定新密碼：'],
    link: { label: '設定新密碼', url: `${public_url}/reset-password?${query}` },
    note: `連結 ${RESET_LIFE_S / 60} 分鐘內有效，只能用一次。若不是你的操作，不必理會這封信，密碼不會改變。`,
  })
}

/** After every change of the password, to whoever holds the address. */
export function passwordChangedMail(to: string, name: string, public_url: string): Mail {
  return write({
    to,
    name,
    subject: '你的凌波密碼已變更',
    lines: ['這個帳號剛剛設定了新密碼，其他裝置都已登出。'],
    link: { label: '登入凌波', url: `${public_url}/login` },
    note: NOT_YOU,
  })
}

/** To the address that was the account until a moment ago. */
export function emailChangedMail(to: string, name: string, new_masked: string): Mail {
  return write({
    to,
    name,
    subject: '你的凌波電子郵件已變更',
    lines: [
      `這個帳號的電子郵件剛剛改成 ${new_masked}，之後請用新的電子郵件登入。`,
      '這個信箱不會再收到凌波的通知。',
    ],
    note: '變更時輸入了正確的密碼。若不是你本人，請儘快聯絡凌波的服務人員，說明這封信的時間。',
  })
}

/** The last mail to somebody who gave the account up. */
export function accountDeletedMail(to: string, name: string): Mail {
  return write({
    to,
    name,
    subject: '你的凌波帳號已刪除',
    lines: ['你的帳號、個人策略、訊號紀錄與圖片都已刪除，webhook 網址也不再收訊號。', '謝謝你用過凌波。'],
    note: '這是我們寄到這個信箱的最後一封信。',
  })
}

/** A mail in our dress, as text and as HTML. */
export function write({ to, name: called, subject, lines, code, link, note, leave }: Letter): Mail {
  // A mail to an address nobody has proven yet must carry nothing that its sender made up but a plain name.
  const name = called === to ? to : quoted(called)
  const text = [
    `${name} 你好：`,
    ...lines,
    ...(code ? [code] : []),
    ...(link ? [`${link.label}：${link.url}`] : []),
    note,
    ...(leave ? [`${leave.label}：${leave.url}`] : []),
    '— 凌波 LingBo',
  ].join('\n\n')
  const paragraph = (line: string) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>`
  const html = `<!doctype html><html lang="zh-Hant"><meta charset="utf-8"><title>${escapeHtml(subject)}</title>
<body style="margin:0;padding:24px;font:16px/1.7 'Noto Sans TC','PingFang TC','Microsoft JhengHei',sans-serif;color:${colour('light', 'ink')};background:${colour('light', 'ground')}">
<div style="max-width:480px;margin:0 auto;padding:24px;background:${colour('light', 'card')};border-radius:12px">
${paragraph(`${name} 你好：`)}${lines.map(paragraph).join('')}
${code ? `<p style="margin:0 0 16px;font:600 32px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px">${escapeHtml(code)}</p>` : ''}
${link ? `<p style="margin:0 0 16px"><a href="${escapeHtml(link.url)}" style="color:${colour('light', 'brand')}">${escapeHtml(link.label)}</a></p>` : ''}
<p style="margin:0;color:${colour('light', 'ink-3')};font-size:14px">${escapeHtml(note)}${leave ? ` <a href="${escapeHtml(leave.url)}" style="color:${colour('light', 'ink-3')}">${escapeHtml(leave.label)}</a>` : ''}</p></div></body></html>`
  return { to, subject, text, html }
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

// The mail that invites somebody into an organization.

interface InvitationLetter {
  readonly to: string
  readonly organization: string
  readonly invited_by: string
  readonly role: Role
  /** Last day of the membership offered, null = open end. */
  readonly expires_on: string | null
  /** Where the invitation is answered. */
  readonly url: string
  readonly days: number
}

/** Who invites whom into what, until when, and where to answer. */
export function invitationMail(letter: InvitationLetter): Mail {
  const { to, role, expires_on, url, days } = letter
  const [organization, invited_by] = [quoted(letter.organization), quoted(letter.invited_by)]
  const until = expires_on === null ? '' : `，期間到 ${dayWords(expires_on)} 為止`
  return write({
    to,
    name: to,
    subject: `${invited_by} 邀請你加入「${organization}」`,
    lines: [
      `${invited_by} 邀請你在凌波加入組織「${organization}」，身份是${ROLE_NAMES[role]}${until}。`,
      '請用這個電子郵件登入，就能接受或婉拒；還沒有帳號，從這個連結註冊只要姓名和一個密碼：',
    ],
    link: { label: '查看邀請', url },
    note: `邀請 ${days} 天內有效，只有這個電子郵件能接受。若你不認識對方，不必理會這封信。`,
  })
}
