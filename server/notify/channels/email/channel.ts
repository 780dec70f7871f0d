// 電子郵件: letters to the person's proved address; how a mail server's answers read.

import { KIND_NAMES } from '#contract/channels.ts'
import type { App } from '../../../context.ts'
import type { MarkedMail, Returned } from '../../../mail/mailer.ts'
import { mailStays, write } from '../../../mail/messages.ts'
import type { Channel, OutgoingMessage, Receiver, SendResult } from '../../channel.ts'
import { unsubscribeUrl } from './routes.ts'

export const email: Channel = {
  id: 'email',
  receivers: 'mail',
  gathers: true,
  rests: true,
  confirms: true,
  // As many as the mail server is given connections; a letter is no alarm, and mailboxes count what comes in a burst.
  pace: { at_once: 5, per_receiver_ms: 1_000, per_second: 20 },
  // A letter that is only a file on this server has reached nobody.
  unavailable: ({ config }) =>
    mailStays(config) ? '這台伺服器沒有郵件伺服器，信只留在它的資料夾；請管理這台伺服器的人設定寄信' : null,
  async send(app, to, message, signal) {
    const returned = await app.mail.deliver(letterOf(app, to, message), signal)
    if (returned === null) return { kind: 'sent' }
    return resultOf(returned, app.now() - Date.parse(message.at))
  },
}

/** What a returned letter means. `age_ms`: how long ago what it tells of happened. */
export function resultOf({ answer, detail, step, code }: Returned, age_ms: number): SendResult {
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return { kind: 'again', all: true, reason: '這台伺服器的寄信帳號被拒，請通知管理這台伺服器的人' }
  const answer_text = `${answer}${detail ? ` ${detail}` : ''}`
  if (answer === null || answer < 400) {
    // Before anything was said to it the mail server failed all of us; a line that broke in the middle failed this one letter.
    const nobody = step === 'CONN' || step === '' || code === 'ECONNREFUSED' || code === 'EDNS'
    const reason = nobody ? '郵件伺服器連不上' : '郵件伺服器中途斷線，不確定是否收下'
    return { kind: 'again', reason, ...(nobody && { all: true }) }
  }
  if (answer < 500)
    return { kind: 'again', reason: `收件伺服器要求稍後再送（${answer_text}）`, after_ms: pauseAt(age_ms) }
  // Who we are was refused: for the operator to mend, and the letter may go afterwards.
  if (step === 'MAIL FROM')
    return { kind: 'again', reason: `郵件伺服器不接受這台伺服器的寄件人（${answer_text}）` }
  if (step === 'RCPT TO' && isNobody(answer, detail))
    return { kind: 'lost', state: 'failing', reason: `收件伺服器說沒有這個信箱（${answer_text}）` }
  return { kind: 'refused', reason: `收件伺服器拒收這封信（${answer_text}）` }
}

/** No such mailbox, or one that is closed for good (RFC 3463: x.1.x, x.2.1); 550 alone says the same, 550 5.7.1 does not. */
function isNobody(answer: number, detail: string | null): boolean {
  if (detail !== null) return /^5\.1\.|^5\.2\.1$/.test(detail)
  return answer === 550 || answer === 551 || answer === 553
}

/** Who greylists wants us back after some minutes: soon first, then as mail servers do, up to half an hour. */
function pauseAt(age_ms: number): number {
  const minutes = age_ms / 60_000
  return (minutes < 1 ? 1 : minutes < 10 ? 5 : minutes < 60 ? 15 : 30) * 60_000
}

// A notification as a letter: in our dress, with an id that stays the same, and with a way out (RFC 8058).

/** The letter of a message. The same message gives the same letter, also at the next try. */
export function letterOf(
  app: Pick<App, 'config' | 'keys'>,
  to: Receiver,
  message: OutgoingMessage,
): MarkedMail {
  const { key, kind, words, url, at } = message
  const leave = kind === 'test' ? null : unsubscribeUrl(app, { uid: to.uid, kind, address: to.address })
  return {
    ...write({
      to: to.address,
      name: to.name ?? to.address,
      subject: words.title,
      lines: [words.title, ...words.lines],
      link: { label: '在凌波查看', url },
      note:
        kind === 'test'
          ? '這是你從通知設定送出的測試信，收到就表示電子郵件通知會寄到這裡。'
          : `這封信依你的通知設定寄出（${KIND_NAMES[kind]}）。`,
      ...(leave &&
        kind !== 'test' && { leave: { label: `不再用電子郵件收「${KIND_NAMES[kind]}」`, url: leave } }),
    }),
    message_id: `<${key}@${hostOf(app.config.mail_from)}>`,
    date: new Date(at),
    headers: {
      // Out-of-office answers go to nobody (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(leave && {
        'List-Unsubscribe': `<${leave}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

function hostOf(mail_from: string): string {
  return /@([^\s<>@]+)>?$/.exec(mail_from)?.[1] ?? 'localhost'
}
