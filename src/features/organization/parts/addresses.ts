// Addresses out of pasted text: mail programs and sheets separate them each in their own way.

/** The addresses in the text, each once (case does not matter), in order; `王小明 <a@b.tw>` gives `a@b.tw`. */
export function addressesIn(text: string): string[] {
  const found = new Map<string, string>()
  for (const line of text.split(/[\n,;，；、]+/)) {
    const named = /<([^<>\s]+)>/.exec(line)?.[1]
    for (const one of named ? [named] : line.split(/\s+/))
      if (one !== '' && !found.has(one.toLowerCase())) found.set(one.toLowerCase(), one)
  }
  return [...found.values()]
}
