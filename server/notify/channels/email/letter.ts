// A notification as a letter: in our dress, with an id that stays the same, and with a way out (RFC 8058).

import { KIND_NAMES } from '#contract/channels.ts'
import type { App } from '../../../context.ts'
import type { MarkedMail } from '../../../mail/mailer.ts'
import { write } from '../../../mail/messages.ts'
import type { OutgoingMessage, Receiver } from '../../channel.ts'
import { leaveUrl } from '../../unsubscribe.ts'

/** The letter of a message. The same message gives the same letter, also at the next try. */
export function letterOf(
  app: Pick<App, 'config' | 'keys'>,
  to: Receiver,
  message: OutgoingMessage,
): MarkedMail {
  const { key, kind, words, url, at } = message
  const leave = kind === 'test' ? null : leaveUrl(app, { uid: to.uid, kind, address: to.address })
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
