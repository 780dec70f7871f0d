// What is longer than a message of Telegram may be goes as several, cut between lines: nothing that was asked for is lost.
import { CHAT_TEXT } from '#contract/limits.ts'

/** Lines as messages; `head` begins each of them. A line that is itself too long is cut. */
export function pagesOf(head: string, lines: readonly string[]): string[] {
  const room = CHAT_TEXT - head.length - 1
  const pages: string[] = []
  let page = ''
  for (const line of lines) {
    const short = line.length > room ? `${line.slice(0, room - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line
    if (page !== '' && page.length + 1 + short.length > room) {
      pages.push(page)
      page = short
    } else page = page === '' ? short : `${page}\n${short}`
  }
  if (page !== '') pages.push(page)
  return pages.map((text) => `${head}\n${text}`)
}
