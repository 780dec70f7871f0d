// Circles in a drawing of who uses whom: each written as the way round, `a → b → a`.

export function circlesOf(below: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (name: string, way: readonly string[]) => {
    if (way.includes(name)) circles.push([...way.slice(way.indexOf(name)), name].join(' → '))
    if (way.includes(name) || done.has(name)) return
    for (const next of below.get(name) ?? []) walk(next, [...way, name])
    done.add(name)
  }
  for (const name of below.keys()) walk(name, [])
  return circles
}
