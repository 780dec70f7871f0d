// What typed words find in a list, and how words typed in one go are parted.
import { expect, test } from 'vitest'
import { matches, matching } from '#ui/mantine/List.tsx'
import { isParted, withWords } from '#ui/tag-words.ts'

test.each([
  ['小台　小型臺指期貨（MXF）', 'mxf', true],
  ['小台　小型臺指期貨（MXF）', 'ＭＸＦ', true],
  ['小台　小型臺指期貨（MXF）', '台指', true],
  ['台指當沖突破 3 號', '臺指當沖突破3號', true],
  ['小台　小型臺指期貨（MXF）', '', true],
  ['小台　小型臺指期貨（MXF）', '電子', false],
])('%s, looked for by %s: %s', (label, word, found) => {
  expect(matches(label, word)).toBe(found)
})

test('a heading goes with the last of what stands under it', () => {
  const item = (label: string) => ({ value: label, label, disabled: false })
  const options = [
    item('全部'),
    { group: '指數', items: [item('大台'), item('小台')] },
    { group: '股票', items: [item('台積電')] },
  ]
  const found = (search: string) => matching({ options, search, limit: 99 })
  expect(found('小')).toEqual([{ group: '指數', items: [item('小台')] }])
  expect(found('積')).toEqual([{ group: '股票', items: [item('台積電')] }])
  expect(found('全')).toEqual([item('全部')])
  expect(found('沒有')).toEqual([])
  expect(found('')).toEqual(options)
})

test('words are parted by any comma, trimmed, and each stands once', () => {
  expect(isParted('突破，')).toBe(true)
  expect(isParted('突破 當沖')).toBe(false)
  expect(withWords(['突破'], ' 當沖， 突破、順勢,當沖,, ')).toEqual(['突破', '當沖', '順勢'])
  expect(withWords(['突破'], ' 、')).toEqual(['突破'])
})
