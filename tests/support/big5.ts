// Text as the exchanges' older files hold it. Node only decodes Big5, so the table is read out of its decoder.
let table: Map<string, [number, number]> | undefined

function tableOf(): Map<string, [number, number]> {
  if (table) return table
  table = new Map()
  const decoder = new TextDecoder('big5', { fatal: true })
  for (let lead = 0xa1; lead <= 0xf9; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      if (trail > 0x7e && trail < 0xa1) continue
      try {
        const text = decoder.decode(Uint8Array.of(lead, trail))
        if ([...text].length === 1 && !table.has(text)) table.set(text, [lead, trail])
      } catch {
        // no character stands there
      }
    }
  return table
}

/** Throws for what Big5 does not have. */
export function big5(text: string): Uint8Array {
  const bytes: number[] = []
  for (const one of text) {
    const code = one.codePointAt(0) as number
    const pair = code < 0x80 ? [code] : tableOf().get(one)
    if (!pair) throw new RangeError(`${one} is not in Big5`)
    bytes.push(...pair)
  }
  return Uint8Array.from(bytes)
}
