// The keys over a note: what they make of the text and what is selected then; pressed twice they take back what they did.
import { describe, expect, test } from 'vitest'
import { around, before, edited, link, picture, type TextEdit } from '#ui/markdown/FormatToolbar.tsx'

/** The text with the selection in brackets that no note has. */
const shown = (value: string, edit: TextEdit) => {
  const next = edited(value, edit)
  const [from, to] = edit.select
  return `${next.slice(0, from)}⟨${next.slice(from, to)}⟩${next.slice(to)}`
}
const read = (marked: string) => {
  const from = marked.indexOf('⟨')
  return { value: marked.replace(/[⟨⟩]/g, ''), from, to: marked.indexOf('⟩') - 1 }
}
type Key = (value: string, from: number, to: number) => TextEdit
const press = (marked: string, key: Key) => {
  const { value, from, to } = read(marked)
  return shown(value, key(value, from, to))
}
const bold: Key = (value, from, to) => around(value, from, to, '**')
const italic: Key = (value, from, to) => around(value, from, to, '*')
const list: Key = (value, from, to) => before(value, from, to, '- ')

describe('keys over a note', () => {
  test.each<[string, Key, string, string]>([
    ['bold', bold, '先⟨突破⟩再', '先**⟨突破⟩**再'],
    ['bold again', bold, '先**⟨突破⟩**再', '先⟨突破⟩再'],
    ['bold of nothing', bold, '⟨⟩', '**⟨文字⟩**'],
    ['italic in bold', italic, '**⟨突破⟩**', '***⟨突破⟩***'],
    ['list', list, '前\n一⟨\n二⟩\n後', '前\n- 一\n- 二⟨⟩\n後'],
    ['list again', list, '- 一⟨\n- 二⟩', '一\n二⟨⟩'],
    ['list on an empty line', list, '前\n⟨⟩', '前\n- ⟨⟩'],
    ['link of words', link, '看⟨凌波⟩', '看[凌波](⟨https://⟩)'],
    ['link of an address', link, '⟨https://a.tw⟩', '[⟨文字⟩](https://a.tw)'],
  ])('%s', (_what, key, from, to) => {
    expect(press(from, key)).toBe(to)
  })

  test('a picture stands in lines of its own', () => {
    const at = (marked: string) => {
      const { value, from } = read(marked.replace('⟨⟩', '⟨⟩'))
      return shown(value, picture(value, from, '/p'))
    }
    expect(at('⟨⟩')).toBe('![⟨圖片⟩](/p)\n\n')
    expect(at('上面⟨⟩')).toBe('上面\n\n![⟨圖片⟩](/p)\n\n')
    expect(at('上面\n⟨⟩\n下面')).toBe('上面\n\n![⟨圖片⟩](/p)\n\n下面')
  })
})
