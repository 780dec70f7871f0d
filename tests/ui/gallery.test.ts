// The gallery is whole: every component that src/ui exports stands in it under its own name, drawn by itself.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (folder: string) => {
  const at = new URL(`../../src/${folder}/`, import.meta.url)
  return readdirSync(at)
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => ({ name, text: readFileSync(new URL(name, at), 'utf8') }))
}
const components = [...read('ui'), ...read('ui/nouns')].flatMap(({ text }) =>
  [...text.matchAll(/^export function ([A-Z]\w+)/gm)].map((found) => found[1] as string),
)
const gallery = read('features/demo/gallery')
  .map(({ text }) => text)
  .join('\n')
/** What stands between the head of one part and the next. */
const parts = new Map(
  gallery
    .split('<Part ')
    .slice(1)
    .map((text) => [/^name="(\w+)"/.exec(text)?.[1] ?? '', text.split('</Part>')[0] ?? '']),
)

test('src/ui has components to look for', () => {
  expect(components.length).toBeGreaterThan(50)
})
test.each(components)('%s', (name) => {
  expect(parts.get(name), `${name} is not in src/features/demo/gallery`).toMatch(new RegExp(`<${name}[\\s>]`))
})
test('nothing in the gallery that src/ui does not have', () => {
  expect([...parts.keys()].filter((name) => !components.includes(name))).toEqual([])
})
