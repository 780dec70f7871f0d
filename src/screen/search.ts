// Search parameters are plain texts in the address: no JSON quoting, unknown ones are dropped, empty ones are absent.

/** A route's search schema: the named parameters, each a text or absent; `org` and `panel` belong to every route (rulings A5, A8). */
export function texts<K extends string>(...names: K[]) {
  return (search: Record<string, unknown>): { [P in K | 'org' | 'panel']?: string } => {
    const kept: Record<string, string> = {}
    for (const name of [...names, 'org', 'panel']) {
      const value = search[name]
      if (typeof value === 'string' && value !== '') kept[name] = value
    }
    return kept as { [P in K | 'org' | 'panel']?: string }
  }
}

/** The schema of a page whose tabs have parameters of their own: every text that is not empty. */
export function anyTexts(search: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '',
    ),
  )
}

/** `?a=1&b=2` → `{ a: '1', b: '2' }`; of a repeated name the last counts. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

/** The way back; absent and empty values leave no trace. */
export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const query = new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return query && `?${query}`
}
