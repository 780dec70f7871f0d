// What the browser has to fetch: brotli bytes of entry, styles, service worker and lazy routes; what the worker keeps, decoded.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { keptFiles } from '#tests/support/kept-files.ts'
import { report } from './figures.ts'

const DIST = join(import.meta.dirname, '../../dist')
const brotli = (file: string) =>
  brotliCompressSync(readFileSync(join(DIST, file)), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
    .length

/** npm run bench -- bytes (after npm run build) */
export function bytes(): Promise<void> {
  const html = readFileSync(join(DIST, 'index.html'), 'utf8')
  // Scripts of the entry stand in a list of the page's own script (index.html), its styles in links.
  const named = [...html.matchAll(/["']\/(assets\/[\w.-]+\.(?:js|css))["']/g)].map(
    (match) => match[1] as string,
  )
  const entry = new Set(named)
  // With what a file asks for at once: a Set gives what is added while it is walked, too.
  for (const file of entry)
    if (file.endsWith('.js'))
      for (const [, name] of readFileSync(join(DIST, file), 'utf8').matchAll(
        /(?:from|import)\s*["']\.\/([^"']+\.js)["']/g,
      ))
        entry.add(`assets/${name}`)
  const sum = (files: string[]) => files.reduce((total, file) => total + brotli(file), 0)
  const assets = readdirSync(join(DIST, 'assets')).map((name) => `assets/${name}`)
  const lazy = assets
    .filter((file) => file.endsWith('.js') && !entry.has(file))
    .map((file) => ({ file, br: brotli(file) }))
    .sort((a, b) => b.br - a.br)
  const kept = keptFiles(DIST)
  const decoded = (files: string[]) =>
    files.reduce((total, file) => total + readFileSync(join(DIST, file)).length, 0)
  const result = {
    entry_js_br: sum([...entry].filter((file) => file.endsWith('.js'))),
    entry_css_br: sum([...entry].filter((file) => file.endsWith('.css'))),
    html_br: brotli('index.html'),
    sw_br: brotli('sw.js'),
    precache_bytes: decoded(kept.at_start),
    later_bytes: decoded(kept.later),
    lazy: lazy.slice(0, 12),
  }
  const kb = (value: number) => `${(value / 1000).toFixed(1)} KB`
  report(
    'bytes',
    `entry JS ${kb(result.entry_js_br)}, CSS ${kb(result.entry_css_br)}, HTML ${kb(result.html_br)}, sw ${kb(result.sw_br)}, largest lazy ${kb(lazy[0]?.br ?? 0)} (${lazy[0]?.file ?? '–'}), precache ${kb(result.precache_bytes)}, later ${kb(result.later_bytes)}`,
    result,
  )
  return Promise.resolve()
}
