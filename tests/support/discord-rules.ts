// What Discord refuses in the body of a webhook, as its own documentation says the limits; null = nothing.

type Fields = Record<string, unknown>

export function wrongContent({ content, embeds, username, avatar_url }: Fields): string | null {
  if (content !== undefined && (typeof content !== 'string' || [...content].length > 2_000))
    return 'content: Must be 2000 or fewer in length.'
  if (embeds !== undefined && (!Array.isArray(embeds) || embeds.length > 10))
    return 'embeds: Must be 10 or fewer in length.'
  const list = (embeds ?? []) as Fields[]
  if ((content ?? '') === '' && list.length === 0) return 'Cannot send an empty message'
  if (username !== undefined && (!within(username, 1, 80) || /discord|clyde/i.test(String(username))))
    return 'username: not allowed'
  if (avatar_url !== undefined && !/^https:\/\//.test(String(avatar_url)))
    return 'avatar_url: Not a well formed URL.'
  const wrong = list.map(wrongEmbed).find((why) => why !== null)
  if (wrong) return wrong
  const total = list.reduce((sum, embed) => sum + sizeOf(embed), 0)
  return total > 6_000 ? 'embeds: Embed size exceeds maximum size of 6000' : null
}

function wrongEmbed(embed: Fields): string | null {
  const { title, description, color, url, timestamp } = embed
  if (title !== undefined && !within(title, 0, 256)) return 'embed title: Must be 256 or fewer in length.'
  if (description !== undefined && !within(description, 0, 4_096))
    return 'embed description: Must be 4096 or fewer in length.'
  if (color !== undefined && !(Number.isInteger(color) && Number(color) >= 0 && Number(color) <= 0xffffff))
    return 'embed color: not a color'
  if (url !== undefined && !/^https?:\/\//.test(String(url))) return 'embed url: Not a well formed URL.'
  if (timestamp !== undefined && Number.isNaN(Date.parse(String(timestamp))))
    return 'embed timestamp: not ISO8601'
  const [footer, author] = [embed['footer'], embed['author']] as (
    | { text?: unknown; name?: unknown }
    | undefined
  )[]
  if (footer && !within(footer.text, 1, 2_048))
    return 'embed footer.text: Must be between 1 and 2048 in length.'
  if (author && !within(author.name, 1, 256)) return 'embed author.name: Must be between 1 and 256 in length.'
  const fields = (embed['fields'] ?? []) as Fields[]
  if (fields.length > 25) return 'embed fields: Must be 25 or fewer in length.'
  return fields.every(({ name, value }) => within(name, 1, 256) && within(value, 1, 1_024))
    ? null
    : 'embed fields: name 1 to 256, value 1 to 1024'
}

function sizeOf({ title, description, footer, author, fields }: Fields): number {
  const texts = [
    title,
    description,
    (footer as Fields | undefined)?.['text'],
    (author as Fields | undefined)?.['name'],
  ]
  for (const { name, value } of (fields ?? []) as Fields[]) texts.push(name, value)
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? [...text].length : 0), 0)
}

const within = (value: unknown, from: number, to: number) =>
  typeof value === 'string' && [...value].length >= from && [...value].length <= to
