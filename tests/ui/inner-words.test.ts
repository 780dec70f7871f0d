// What is said to people, read from the source itself: every Chinese text of the interface, of refusals and of mails, and every reason
// that the reader gives for other people's messages. None of it names what only the code knows.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { innerWords, MESSAGE_WORDS, wordsIn } from '#tests/support/inner-words.ts'
import { corpus, inputFor } from '#tests/trading/corpus.ts'
import { readPayload } from '#trading/payload/read.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const CHINESE = /[㐀-鿿]/

/** Texts for those who run the server or write programs against it, words that are looked for in messages, and example messages. */
const OTHERS = [
  'contract/access.ts',
  'server/backup',
  'server/check',
  'server/cli',
  'server/config.ts',
  'server/db',
  // the page of the demo's own receivers
  'server/demo',
  'server/failing.ts',
  'server/http/disk.ts',
  'server/http/docs.ts',
  'server/http/host.ts',
  'server/http/openapi.ts',
  'server/http/static.ts',
  'server/listen.ts',
  'server/make-folder.ts',
  'server/record/calendar.ts',
  'server/record/closed-days.ts',
  'server/config/channels.ts',
  'server/config/clients.ts',
  'server/config/contact.ts',
  // what an administrator reads who writes these files
  'server/market/dated-files.ts',
  'server/market/import.ts',
  'server/market/lines.ts',
  'server/market/products-file.ts',
  'server/market/published.ts',
  'server/market/symbols-file.ts',
  'server/oidc/keys.ts',
  'server/seed',
  'server/config/providers.ts',
  'server/main.ts',
  'src/features/demo',
  'src/features/guide/topics',
  // names of what is listed
  'trading/listings',
  'trading/payload/hints.ts',
  'trading/payload/private.ts',
  'trading/payload/symbol.ts',
  'trading/payload/templates.ts',
  'trading/payload/vocabulary',
]

/** A field of messages, how pairs are written, and what is typed into the search of the guide. */
const HERE = new Set(['secret', 'key', 'value', 'shortcut'])

interface Said {
  where: string
  text: string
}
type Node = { type?: string; start?: number; [key: string]: unknown }

function saidIn(path: string): Said[] {
  const source = readFileSync(join(ROOT, path), 'utf8')
  const said: Said[] = []
  const say = (node: Node, text: string) => {
    if (!CHINESE.test(text) && !(node.type === 'JSXText' && /[A-Za-z]{2}/.test(text))) return
    said.push({ where: `${path}:${source.slice(0, node.start).split('\n').length}`, text })
  }
  const walk = (node: Node) => {
    // what the documents of the API say of a call
    if (node.type === 'Property' && (node['key'] as Node | undefined)?.['name'] === 'about') return
    if (node.type === 'Literal' && typeof node['value'] === 'string') say(node, node['value'])
    if (node.type === 'JSXText') say(node, String(node['value']))
    if (node.type === 'TemplateLiteral') {
      const quasis = node['quasis'] as { value: { cooked: string } }[]
      say(node, quasis.map(({ value }) => value.cooked).join(' … '))
    }
    for (const child of Object.values(node))
      for (const one of Array.isArray(child) ? child : [child])
        if (typeof one === 'object' && one !== null) walk(one as Node)
  }
  walk(parseSync(path, source).program as unknown as Node)
  return said
}

const files = ['src', 'trading', 'server', 'contract', 'sw']
  .flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`),
  )
  .filter(
    (path) => /\.tsx?$/.test(path) && !OTHERS.some((other) => path === other || path.startsWith(`${other}/`)),
  )

test('no text of the interface, of a refusal or of a mail names what only the code knows', () => {
  const wrong = files.flatMap(saidIn).flatMap(({ where, text }) => {
    const words = innerWords(text.replace(/<[^>]*>/g, ' '), where.startsWith('src/') ? HERE : MESSAGE_WORDS)
    return words.length > 0
      ? [`${where} ${words.join(', ')} ← ${text.replace(/\s+/g, ' ').slice(0, 80)}`]
      : []
  })
  expect(wrong).toEqual([])
})

test('a reason for somebody’s message names its own words, those that are understood, and nothing else', () => {
  const wrong = corpus().flatMap((one) => {
    const out = readPayload(inputFor(one))
    if (!('reason' in out) || typeof out.reason !== 'string') return []
    const words = innerWords(out.reason, new Set([...MESSAGE_WORDS, ...wordsIn(one.body)]))
    return words.length > 0 ? [`${one.path}: ${words.join(', ')} ← ${out.reason}`] : []
  })
  expect(wrong).toEqual([])
})
