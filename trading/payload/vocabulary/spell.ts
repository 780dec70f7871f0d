// How names and words are compared: half-width, without case, whether written camelCase, dotted, with dashes or blanks.

/** Senders say the same names and words over and over; each is worked out once. */
const KNOWN = new Map<string, string>()
const KNOWN_MOST = 4_000
const KNOWN_LENGTH = 40

/** `strategy.order.limitPrice` → `strategy_order_limit_price`. */
export function keyName(key: string): string {
  const known = KNOWN.get(key)
  if (known !== undefined) return known
  const name = spelled(key)
  if (key.length > KNOWN_LENGTH) return name
  if (KNOWN.size >= KNOWN_MOST) KNOWN.clear()
  KNOWN.set(key, name)
  return name
}

function spelled(key: string): string {
  return key
    .slice(0, 120)
    .normalize('NFKC')
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[-.\s/:]+/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '')
}

/** Without its joints: `orderqty`, `order_qty` and `orderQty` are one spelling. */
export function compact(name: string): string {
  return name.replaceAll('_', '')
}

/** How a value's text is compared with the words of the vocabulary. */
export function wordOf(text: string): string {
  return compact(keyName(text.slice(0, 80)))
}

/** A table of spellings from lists of names, each list for one meaning; a name twice is a mistake of ours. */
export function table<T extends string>(lists: Readonly<Record<T, string>>): ReadonlyMap<string, T> {
  const all = new Map<string, T>()
  for (const [meaning, names] of Object.entries(lists) as [T, string][])
    for (const name of names.split(/\s+/)) {
      const key = compact(name)
      if (key === '') continue
      const other = all.get(key)
      if (other !== undefined && other !== meaning) throw new Error(`${name} means ${other} and ${meaning}`)
      all.set(key, meaning)
    }
  return all
}
