// What makes a letter one that receivers distrust or break: RFC 5322, RFC 2045, and unsubscribing with one click (RFC 8058).

const ONCE = ['From', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'Content-Type']

/** What is wrong with a letter as it came over the line (bytes as Latin-1). */
export function wrongMail(source: string): string[] {
  const wrong: string[] = []
  const at = source.indexOf('\r\n\r\n')
  const head = source.slice(0, at)
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const header = (name: string) =>
    lines
      .filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      .map((line) => line.slice(name.length + 1).trim())
  if (at === -1) wrong.push('no end of the headers')
  if (/(^|[^\r])\n|\r(?!\n)/.test(source)) wrong.push('a line does not end in CRLF')
  if (source.split('\r\n').some((line) => line.length > 998)) wrong.push('a line is longer than 998')
  if ([...head].some((letter) => letter > '~')) wrong.push('letters in the headers that are not ASCII')
  for (const name of ONCE)
    if (header(name).length !== 1) wrong.push(`${name} is there ${header(name).length} times`)
  if (!/^<[^\s<>@]+@[^\s<>@]+>$/.test(header('Message-ID')[0] ?? ''))
    wrong.push('Message-ID is not <left@right>')
  if (Number.isNaN(Date.parse(header('Date')[0] ?? ''))) wrong.push('Date is none')
  if (!/^[^,]*@[^,]*$/.test(header('To')[0] ?? '')) wrong.push('To is not one address')
  if (
    /^multipart\/alternative/i.test(header('Content-Type')[0] ?? '') ||
    /multipart\/alternative/i.test(source)
  ) {
    if (!/content-type: text\/plain/i.test(source)) wrong.push('no part in plain text')
    if (!/content-type: text\/html/i.test(source)) wrong.push('no part in HTML')
  }
  wrong.push(...wrongUnsubscribe(header('List-Unsubscribe'), header('List-Unsubscribe-Post')))
  return wrong
}

function wrongUnsubscribe(ways: readonly string[], post: readonly string[]): string[] {
  if (ways.length === 0) return post.length > 0 ? ['List-Unsubscribe-Post without List-Unsubscribe'] : []
  const wrong: string[] = []
  const addresses = [...(ways[0] ?? '').matchAll(/<([^<>]+)>/g)].map(([, address = '']) => address)
  // On this machine the product has no certificate.
  if (!addresses.some((one) => /^https:\/\/|^http:\/\/127\.0\.0\.1[:/]/.test(one)))
    wrong.push('List-Unsubscribe has no https address')
  if (post[0] !== 'List-Unsubscribe=One-Click')
    wrong.push('List-Unsubscribe-Post is not “List-Unsubscribe=One-Click”')
  return wrong
}
