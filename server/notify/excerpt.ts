// The beginning of a Markdown text in one line of plain words, for where only a little fits.

const MOST = 120
/** What makes a heading, a list, a quotation, a rule or a fence of a line. */
const LEADS = /^\s{0,3}(?:#{1,6}\s+|[-*+]\s+|\d{1,9}[.)]\s+|>\s?|(?:`{3,}|~{3,}).*$|(?:[-*_]\s*){3,}$)/

/** Its words without their signs, cut at a whole character. */
export function excerptOf(markdown: string): string {
  // As much as could matter: a long text must not cost more than a short one.
  const lines = markdown.slice(0, MOST * 8).split('\n')
  const words = lines
    .map((line) => line.replace(LEADS, ''))
    .join(' ')
    .replace(/!?\[([^\][]{0,200})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/[*`~]{1,3}(?=\S)|(?<=\S)[*`~]{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const signs = [...words]
  return signs.length > MOST ? `${signs.slice(0, MOST - 1).join('')}…` : words
}
