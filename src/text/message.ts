// The messages to paste into a sender, laid out to be read and copied.
import { MESSAGE_TEMPLATES, type MessageTemplate } from '#trading/examples.ts'

/** The template with JSON one field per line, which TradingView takes as it is. `{{URL}}` of curl stays. */
export function templateOf(id: MessageTemplate['id']): MessageTemplate {
  const found = MESSAGE_TEMPLATES.find((template) => template.id === id)
  if (!found) throw new Error(`no template ${id}`)
  return id === 'curl' ? found : { ...found, text: found.text.replaceAll('","', '",\n "') }
}

/** Placeholders, which the sender fills in, set apart from what stays as it is. */
export function partsOf(text: string): (string | { text: string; kind: 'var' })[] {
  return text
    .split(/(\{\{[^}]+\}\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{{') ? { text: part, kind: 'var' as const } : part))
}
