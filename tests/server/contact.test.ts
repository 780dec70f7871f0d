// The platform's contact links: a file of whoever runs the server, told to everybody; what is wrong in it is named at the start.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ContactNode, listContactLinks } from '#contract/organization.ts'
import { readConfig } from '#server/config.ts'
import { call } from '#tests/support/people.ts'
import { startServer } from '#tests/support/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'lingbo-contact-'))
/** The path of a file with this content. */
function file(content: unknown): string {
  const path = join(folder, 'contact.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const LINKS: ContactNode[] = [
  {
    ...{ label: '客服', type: 'text', value: '週一到週五' },
    children: [
      { label: '官方帳號', type: 'line', value: '@lingbo' },
      {
        ...{ label: '電話', type: 'text', value: null },
        children: [{ label: '台北', type: 'phone', value: '02-2345-6789' }],
      },
    ],
  },
]

// spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
// spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
test('as the file gives them, to whoever asks; none without a file', async () => {
  const server = await startServer({ env: { CONTACT_LINKS: file(LINKS) } })
  expect(await call(server, listContactLinks, {})).toEqual(LINKS)
  await server.close()
  const without = await startServer()
  expect(await call(without, listContactLinks, {})).toEqual([])
  await without.close()
})

test.each([
  ['no JSON', '聯絡方式', /CONTACT_LINKS=.*：要是讀得到的 JSON 檔/],
  ['no list', { label: 'x' }, /CONTACT_LINKS：檔案 /],
  [
    'an address that opens something else',
    [{ ...LINKS[0], children: [{ label: 'x', type: 'url', value: 'http://example.com' }] }],
    /CONTACT_LINKS：0\.children\.0\.value 請輸入 https:\/\/ 開頭的完整網址/,
  ],
  [
    'a key nobody knows, also further down',
    [
      {
        label: 'x',
        type: 'text',
        value: null,
        children: [{ label: 'y', type: 'url', valeu: null, value: null }],
        childs: [],
      },
    ],
    /不認得 0\.children\.0\.valeu，欄位是 label、type、value 與 children.*不認得 0\.childs/s,
  ],
  ['a type nobody knows', [{ label: 'x', type: 'fax', value: '1' }], /0\.type 不支援這種聯絡方式/],
  [
    'too many',
    Array.from({ length: 21 }, () => ({ label: 'x', type: 'text', value: 'y' })),
    /聯絡方式最多 20 個/,
  ],
])('%s: the start says so', (_name, content, why) => {
  expect(() => readConfig({ CONTACT_LINKS: file(content) })).toThrow(why)
})

test('a file that is not there: the start says so', () => {
  expect(() => readConfig({ CONTACT_LINKS: join(folder, 'nowhere.json') })).toThrow(/CONTACT_LINKS=.*JSON 檔/)
})
