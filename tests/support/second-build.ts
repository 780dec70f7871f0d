// A second version of the built app without building again: every file of assets has another name, and everybody asks for that.
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Copies `dist` to `to` with new names; gives them. Compressed copies are left out: they hold the old names. */
export function secondBuild(dist: string, to: string): string[] {
  cpSync(dist, to, { recursive: true })
  const files = readdirSync(to, { recursive: true, encoding: 'utf8' })
  for (const name of files) if (/\.(?:br|gz)$/.test(name)) rmSync(join(to, name))
  const names = readdirSync(join(to, 'assets'))
  // as long as before, in the letters of a hash, so that nothing else in the files moves
  const other = (first: string) => (first === '_' ? 'Z' : '_')
  const renamed = new Map(
    names.map((name) => [
      name,
      name.replace(
        /-(.)([\w-]{7})(\.\w+)$/,
        (_all, first: string, rest: string, end: string) => `-${other(first)}${rest}${end}`,
      ),
    ]),
  )
  const pages = files.filter((name) => name.endsWith('.html'))
  const texts = [...names.map((name) => join('assets', name)), ...pages, 'sw.js']
  for (const name of texts) {
    const file = join(to, name)
    let text = readFileSync(file, 'utf8')
    for (const [old, now] of renamed) text = text.replaceAll(old, now)
    // the page itself keeps its name: its revision tells the versions apart
    if (name === 'sw.js')
      text = text.replace(
        /[0-9a-f]{32}(?=[^{}]*index\.html)|(?<=index\.html[^{}]*)[0-9a-f]{32}/,
        '0'.repeat(32),
      )
    writeFileSync(file, text)
  }
  for (const [old, now] of renamed) renameSync(join(to, 'assets', old), join(to, 'assets', now))
  return [...renamed.values()].map((name) => `assets/${name}`)
}
