// The mail that invites somebody into an organization.
import { ROLE_NAMES, type Role } from '#contract/permissions.ts'
import { dayWords } from '#trading/calendar.ts'
import type { Mail } from './mailer.ts'
import { write } from './messages.ts'
import { quoted } from './quoted.ts'

export interface InvitationLetter {
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
