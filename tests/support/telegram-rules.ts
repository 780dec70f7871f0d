// What the Bot API refuses in a message, with its own words; null = nothing.

const RESERVED = new Set('_*[]()~`>#+-=|{}.!')
const TAGS = new Set([
  ...['b', 'strong', 'i', 'em', 'u', 'ins', 's', 'strike', 'del', 'code', 'pre', 'a', 'blockquote'],
  ...['tg-spoiler', 'span', 'tg-emoji'],
])

export function wrongText(text: unknown, parse_mode: unknown): string | null {
  if (typeof text !== 'string') return 'message text is empty'
  const shown = parse_mode === 'HTML' ? text.replace(/<[^<>]*>/g, '') : text
  if (shown.trim() === '') return 'message text is empty'
  if (shown.length > 4_096) return 'message is too long'
  if (parse_mode === undefined) return null
  if (parse_mode === 'HTML') return wrongHtml(text)
  if (parse_mode === 'MarkdownV2') return wrongMarkdown(text)
  return parse_mode === 'Markdown' ? null : `unsupported parse_mode`
}

function wrongHtml(text: string): string | null {
  const open: string[] = []
  for (const [, close = '', tag = ''] of text.matchAll(/<(\/?)([a-z-]*)[^<>]*>?/gi)) {
    if (!TAGS.has(tag)) return `can't parse entities: unsupported start tag "${tag}"`
    if (close === '') open.push(tag)
    else if (open.pop() !== tag) return `can't parse entities: unexpected end tag "${tag}"`
  }
  if (/&(?!(amp|lt|gt|quot|#\d+|#x[0-9a-f]+);)/i.test(text)) return `can't parse entities: unknown entity`
  return open.length > 0 ? `can't parse entities: can't find end tag of "${open.pop()}"` : null
}

/** Only what stands outside of all formatting and is not escaped: `.`, `!`, `-` and the like. */
function wrongMarkdown(text: string): string | null {
  const plain = text
    .replace(/\\[!-~]/g, '')
    .replace(/\[[^\]]*\]\([^)]*\)|```[^`]*```|`[^`]*`|\|\||[*_~]/g, '')
  const found = [...plain].find((letter) => RESERVED.has(letter) && letter !== '>')
  return found === undefined ? null : `can't parse entities: character '${found}' is reserved`
}

export function wrongKeyboard(markup: unknown): string | null {
  if (markup === undefined) return null
  const rows = (markup as { inline_keyboard?: unknown }).inline_keyboard
  if (rows === undefined) return null
  if (!Array.isArray(rows) || rows.some((row) => !Array.isArray(row))) return "can't parse inline keyboard"
  for (const button of rows.flat() as Record<string, unknown>[]) {
    const { text, url, callback_data, web_app, login_url, copy_text } = button
    if (typeof text !== 'string' || text === '') return "can't parse inline keyboard button: text is empty"
    const does = [url, callback_data, web_app, login_url, copy_text].filter((one) => one !== undefined)
    if (does.length !== 1) return 'text buttons are allowed in inline keyboards only with one action'
    if (callback_data !== undefined && !within(callback_data, 1, 64)) return 'BUTTON_DATA_INVALID'
    // What the real one does not open from a button: addresses of this machine.
    if (url !== undefined && !/^(https?:\/\/[^/]*\.[^/]+|tg:\/\/)/.test(String(url)))
      return 'inline keyboard button URL is invalid'
  }
  return null
}

export function wrongCommands(commands: unknown): string | null {
  if (!Array.isArray(commands) || commands.length > 100) return 'BOT_COMMANDS_TOO_MUCH'
  for (const { command, description } of commands as Record<string, unknown>[]) {
    if (typeof command !== 'string' || !/^[a-z0-9_]{1,32}$/.test(command)) return 'BOT_COMMAND_INVALID'
    if (typeof description !== 'string' || description.length < 1 || description.length > 256)
      return 'BOT_COMMAND_DESCRIPTION_INVALID'
  }
  return null
}

const within = (value: unknown, from: number, to: number) =>
  typeof value === 'string' && Buffer.byteLength(value) >= from && Buffer.byteLength(value) <= to
