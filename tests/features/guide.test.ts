// The guide: found by words, every address in it exists, and its samples are read by the intake as the text says.
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Block, found, MULTICHARTS_LINE, TOPICS, topicAt, XQ_LINE } from '#features/guide/topics.ts'
import { signal } from '#tests/trading/payload.ts'
import { MESSAGE_TEMPLATES } from '#trading/message-templates.ts'

/** With what stands in folds. */
const flat = (some: readonly Block[]): Block[] =>
  some.flatMap((block) => [
    block,
    ...(typeof block === 'object' && 'more' in block ? flat(block.blocks) : []),
  ])
const blocks = TOPICS.flatMap((topic) => flat(topic.blocks))
const ids = (typed: string) => found(TOPICS, typed).map(({ id }) => id)

test('ten pages', () => {
  expect(TOPICS).toHaveLength(10)
})

describe('search', () => {
  test('nothing typed: everything', () => {
    expect(ids('  ')).toEqual(TOPICS.map(({ id }) => id))
  })
  test.each([
    ['iphone', ['notify', 'device']],
    ['ＸＱ 橋接', ['xq']],
    ['long_entry tradingview', ['tradingview']],
    ['離線 待送匣', ['device']],
    ['手動 送出 部位', ['manual']],
    ['這不在裡面', []],
  ])('%s', (typed, wanted) => {
    expect(ids(typed)).toEqual(wanted)
  })
})

test('every name in an address is one page, and every anchor of before still leads to its text', () => {
  const names = TOPICS.flatMap(({ id, was = [] }) => [id, ...was])
  expect(new Set(names).size).toBe(names.length)
  const before =
    'create test manual note read tradingview xq multicharts reading offline install-iphone install-android install-desktop privacy appearance keyboard notify notify-iphone notify-telegram quiet silence why robot identity organization invite access-log announcement verify'
  expect(before.split(' ').filter((name) => !topicAt(name))).toEqual([])
  // a fold's anchor is one of its page's
  for (const topic of TOPICS)
    for (const block of flat(topic.blocks))
      if (typeof block === 'object' && 'more' in block && block.was) expect(topic.was).toContain(block.was)
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
