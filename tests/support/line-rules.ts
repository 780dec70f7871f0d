// What LINE refuses in messages, with the property it names; null = nothing.

const KINDS = [
  'text',
  'textV2',
  'sticker',
  'image',
  'video',
  'audio',
  'location',
  'imagemap',
  'template',
  'flex',
]

export function wrongMessages(messages: unknown): string | null {
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: may not be empty'
  if (messages.length > 5) return 'messages: size must be between 1 and 5'
  for (const [at, one] of messages.entries()) {
    const why = wrongMessage(one as Record<string, unknown>)
    if (why !== null) return `messages[${at}].${why}`
  }
  return null
}

function wrongMessage(message: Record<string, unknown>): string | null {
  const { type, text, altText, contents, template, quickReply } = message
  if (typeof type !== 'string' || !KINDS.includes(type)) return 'type: must be one of the kinds of messages'
  // Counted as JavaScript does, in UTF-16.
  if (type.startsWith('text') && !within(text, 1, 5_000)) return 'text: length must be between 1 and 5000'
  if (['flex', 'template', 'imagemap'].includes(type) && !within(altText, 1, 1_500))
    return 'altText: length must be between 1 and 1500'
  if (type === 'flex' && !isObject(contents)) return 'contents: must be specified'
  if (type === 'template' && !isObject(template)) return 'template: must be specified'
  const items = isObject(quickReply) ? quickReply['items'] : []
  if (!Array.isArray(items) || items.length > 13) return 'quickReply.items: size must be between 1 and 13'
  return null
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
const within = (value: unknown, from: number, to: number) =>
  typeof value === 'string' && value.length >= from && value.length <= to
