// Contact links in words and as addresses: what each type is called, what it asks for, where a press on it leads.
import type { ContactNode, ContactType } from '#contract/organization.ts'

/** An entry, for who draws it. */
export type Contact = ContactNode

/** The types as a form offers them, each with an example of what is typed. */
export const CONTACT_WORDS: Record<ContactType, { name: string; example: string }> = {
  line: { name: 'LINE', example: '@lingbo' },
  telegram: { name: 'Telegram', example: '@lingbo' },
  email: { name: '電子郵件', example: 'service@example.com' },
  phone: { name: '電話', example: '02-2345-6789' },
  url: { name: '網址', example: 'https://example.com' },
  text: { name: '文字', example: '週一到週五 09:00–18:00' },
}

/** Where an entry leads, as an address; null for words, for what only heads others, and for what opens nothing safe. */
export function contactAddress({ type, value }: Pick<ContactNode, 'type' | 'value'>): string | null {
  if (!value) return null
  switch (type) {
    case 'text':
      return null
    case 'email':
      return mailTo(value.replace(/^mailto:/i, '').normalize('NFKC'))
    case 'phone':
      return dialled(value.replace(/^tel:/i, ''))
    case 'url':
      return /^https:\/\//i.test(value) ? value : null
    case 'telegram':
      if (/^(https|tg):\/\//i.test(value)) return value
      return `https://t.me/${encodeURIComponent(value.replace(/^@/, ''))}`
    case 'line':
      if (/^(https|line):\/\//i.test(value)) return value
      // an official account is called by its @, a person by the name alone
      return value.startsWith('@')
        ? `https://line.me/R/ti/p/${encodeURIComponent(value)}`
        : `https://line.me/ti/p/~${encodeURIComponent(value)}`
  }
}

/** What stands before the @ may hold signs that begin headers in an address of this kind. */
function mailTo(email: string): string {
  const at = email.lastIndexOf('@')
  return `mailto:${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`
}

/** 02-2345-6789 分機 12 or #12: the number, then the extension. */
function dialled(phone: string): string {
  const [number = '', extension] = phone.split(/#|分機/)
  const digits = number.replace(/[^+\d]/g, '')
  return extension === undefined ? `tel:${digits}` : `tel:${digits};ext=${extension.replace(/\D/g, '')}`
}
