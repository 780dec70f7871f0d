// Contact links: what a tree may hold, what a refusal names, and where an entry leads.
import { describe, expect, test } from 'vitest'
import { fieldMessages } from '#contract/field-messages.ts'
import { type ContactNode, type ContactType, contact_nodes, countContacts } from '#contract/organization.ts'
import { contactAddress } from '#text/contact.ts'

const leaf = (type: ContactType, value: string | null): ContactNode => ({ label: '客服', type, value })

/** Value → the address that a press opens. */
const OPENS: [ContactType, string, string][] = [
  ['line', '@lingbo', 'https://line.me/R/ti/p/%40lingbo'],
  ['line', 'lin.master', 'https://line.me/ti/p/~lin.master'],
  ['line', 'https://lin.ee/abc', 'https://lin.ee/abc'],
  ['line', 'line://ti/p/@lingbo', 'line://ti/p/@lingbo'],
  ['telegram', '@lingbo', 'https://t.me/lingbo'],
  ['telegram', 'tg://resolve?domain=lingbo', 'tg://resolve?domain=lingbo'],
  ['email', 'a@example.com', 'mailto:a@example.com'],
  ['email', 'mailto:a@example.com', 'mailto:a@example.com'],
  ['phone', '+886 2-2345-6789', 'tel:+886223456789'],
  ['phone', '(02) 2345 6789', 'tel:0223456789'],
  ['phone', '02-2345-6789#123', 'tel:0223456789;ext=123'],
  ['phone', '02-2345-6789 分機 12', 'tel:0223456789;ext=12'],
  ['email', 'help?bcc=x@example.com', 'mailto:help%3Fbcc%3Dx@example.com'],
  ['email', 'service＠example.com', 'mailto:service@example.com'],
  ['url', 'https://example.com/a?b=1', 'https://example.com/a?b=1'],
]
test.each(OPENS)('%s %s is taken and opens %s', (type, value, address) => {
  expect(fieldMessages(contact_nodes, [leaf(type, value)])).toEqual({})
  expect(contactAddress({ type, value })).toBe(address)
})

test.each([
  ...[
    'javascript:alert(1)',
    'http://example.com',
    'https:///x',
    '//evil.example',
    'data:text/html,x',
    '@a',
  ].map((value) => ['url', value] as const),
  ...['javascript:alert(1)', 'tg://x', 'http://line.me/x', '有 空格'].map(
    (value) => ['line', value] as const,
  ),
  ...['javascript:alert(1)', 'line://x', 'lin go'].map((value) => ['telegram', value] as const),
  ...['tel:1', 'no', 'javascript:1@x.example'].map((value) => ['email', value] as const),
  ...['javascript:1234567', '撥我', '12', '---', '02-2345-6789#', 'mailto:a@example.com'].map(
    (value) => ['phone', value] as const,
  ),
] as [ContactType, string][])('%s %s is refused, at its own field', (type, value) => {
  const tree = [{ ...leaf('text', '說明'), children: [leaf(type, value)] }]
  expect(Object.keys(fieldMessages(contact_nodes, tree))).toEqual(['0.children.0.value'])
})

test('what did not come through the check opens nothing: an address says only what its type may', () => {
  for (const type of ['line', 'telegram', 'email', 'phone', 'url', 'text'] as const)
    expect(contactAddress({ type, value: 'javascript:alert(1)' }) ?? 'https:').toMatch(/^(https|mailto|tel):/)
  expect(contactAddress({ type: 'text', value: 'https://example.com' })).toBeNull()
  expect(contactAddress({ type: 'url', value: null })).toBeNull()
})

describe('the size of a tree', () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => leaf('text', `${i}`))
  test('20 on all levels together, not one more', () => {
    const tree = [{ ...leaf('text', null), children: many(19) }]
    expect([countContacts(tree), fieldMessages(contact_nodes, tree)]).toEqual([20, {}])
    expect(fieldMessages(contact_nodes, [...tree, ...many(1)])).toEqual({ '': '聯絡方式最多 20 個' })
  })
  test('three levels; a fourth is refused', () => {
    const deep = (n: number): ContactNode => ({
      ...leaf('text', `${n}`),
      ...(n > 1 && { children: [deep(n - 1)] }),
    })
    const depth = (nodes: readonly ContactNode[] = []): number =>
      nodes.reduce((most, { children }) => Math.max(most, 1 + depth(children)), 0)
    expect(depth(contact_nodes.parse([deep(3)]))).toBe(3)
    expect(fieldMessages(contact_nodes, [deep(4)])).toEqual({
      '0.children.0.children.0.children': '聯絡方式最多三層',
    })
    // none under it is none
    expect(
      fieldMessages(contact_nodes, [
        {
          ...leaf('text', '一'),
          children: [{ ...leaf('text', '二'), children: [{ ...leaf('text', '三'), children: [] }] }],
        },
      ]),
    ).toEqual({})
  })
})
