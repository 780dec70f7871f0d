// The guide: found by words, every address in it exists, and its samples are read by the intake as the text says.
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { found, type TopicBlock } from '#features/guide/topic.ts'
import { MULTICHARTS_LINE, XQ_LINE } from '#features/guide/topics/senders.ts'
import { GROUPS } from '#features/guide/topics.ts'
import { signal } from '#tests/trading/payload.ts'
import { MESSAGE_TEMPLATES } from '#trading/message-templates.ts'

const topics = GROUPS.flatMap((group) => group.topics)
const blocks = topics.flatMap((topic): readonly TopicBlock[] => topic.blocks)
const ids = (typed: string) => found(GROUPS, typed).flatMap((group) => group.topics.map(({ id }) => id))

describe('search', () => {
  test('nothing typed: everything', () => {
    expect(ids('  ')).toEqual(topics.map(({ id }) => id))
  })
  test.each([
    ['iphone', ['install-iphone', 'notify-iphone']],
    ['ＸＱ 橋接', ['xq', 'multicharts']],
    ['long_entry tradingview', ['tradingview']],
    ['離線 待送匣', ['offline']],
    ['手動 送出 部位', ['manual']],
    ['這不在裡面', []],
  ])('%s', (typed, wanted) => {
    expect(ids(typed)).toEqual(wanted)
  })
})

test('anchors are unique', () => {
  expect(new Set(topics.map(({ id }) => id)).size).toBe(topics.length)
})

// domain §7.4: templates and what is easily forgotten at the sender
test('every template is offered', () => {
  const offered = blocks.flatMap((block) =>
    typeof block === 'object' && 'template' in block ? [block.template] : [],
  )
  expect(offered.sort()).toEqual(MESSAGE_TEMPLATES.map(({ id }) => id).sort())
})

test('every link leads to a route', () => {
  const routes = readdirSync(new URL('../../src/routes/_shell', import.meta.url), { recursive: true }).map(
    (file) => `/${String(file).replace(/(\/index)?\.tsx$/, '')}`,
  )
  const hrefs = blocks.flatMap((block) => (typeof block === 'object' && 'href' in block ? [block.href] : []))
  expect(hrefs.filter((href) => !routes.includes(href.replace(/\?.*/, '')))).toEqual([])
})

test('no link leads somebody to a page that they may not see: those that need a permission say where else', () => {
  const hrefs = blocks.flatMap((block) => (typeof block === 'object' && 'href' in block ? [block.href] : []))
  const needing = hrefs.filter(
    (href) => href.startsWith('/strategies/') || href.startsWith('/organizations/'),
  )
  expect(needing).toEqual([])
  expect(blocks.filter((block) => typeof block === 'object' && 'create' in block)).toHaveLength(1)
})

describe('what the samples leave in the file is a signal', () => {
  test('XQ', () => {
    expect(signal(XQ_LINE, { format: 'xq' }).normal).toMatchObject({
      symbol: 'MXF',
      action: 'long_entry',
      price: 46_588,
    })
  })
  test('MultiCharts', () => {
    expect(signal(MULTICHARTS_LINE, { format: 'multicharts' }).normal).toMatchObject({
      symbol: 'MXF',
      action: 'long_entry',
      price: 46_588,
    })
  })
})
