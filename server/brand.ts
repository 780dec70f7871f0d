// The colours of the application, for what is no stylesheet of it: pages and mails that the server writes, the first page, the icon, the
// manifest. All are read from the one sheet that names them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './config.ts'

/** Where they stand. */
export const TOKENS = 'src/ui/tokens.css'
const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const sheet = readFileSync(join(ROOT, TOKENS), 'utf8')

/** The colours of a theme by their names: the block that its selector opens. */
function coloursOf(theme: Theme): Record<string, string> {
  const [, block = ''] = sheet.split(`[data-theme="${theme}"]`)
  const [own = ''] = block.split('\n}')
  return Object.fromEntries(
    [...own.matchAll(/^ *--(\w[\w-]*): (#[0-9a-f]{6});/gm)].map(([, name, is]) => [name, is]),
  )
}
const colours: Record<Theme, Record<string, string>> = { light: coloursOf('light'), dark: coloursOf('dark') }

export function colour(theme: Theme, name: string): string {
  const found = colours[theme][name]
  if (found === undefined) throw new Error(`${TOKENS}: no colour --${name} in the theme ${theme}`)
  return found
}

/** The start of the style of a page of the server's own: these colours as variables, in the theme that the device has. */
export function pageColours(...names: string[]): string {
  const all = (theme: Theme) => names.map((name) => `--${name}:${colour(theme, name)}`).join(';')
  return `:root{color-scheme:light dark;${all('light')}}\n@media(prefers-color-scheme:dark){:root{${all('dark')}}}\n`
}

/** A text in which `light-ground` and the like stand for colours. */
export const withColours = (text: string): string =>
  text.replaceAll(/\b(light|dark)-([a-z][\w-]*)\b/g, (_, theme: Theme, name: string) => colour(theme, name))
