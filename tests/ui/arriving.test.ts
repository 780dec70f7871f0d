// Parts whose code comes later: sent for once, sent for again when it could not come, and what stands in their place until then.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { arriving, DateField, SearchChip, SearchSelect } from '#ui/SearchSelect.tsx'
import { TagsField } from '#ui/TagsField.tsx'

afterEach(() => {
  vi.restoreAllMocks()
})

test('what has come is kept, and asked for once', async () => {
  const load = vi.fn(async () => ({ part: 1 }))
  const one = arriving(load)
  expect(one.now()).toBeNull()
  const [first, second] = await Promise.all([one.ask(), one.ask()])
  expect(first).toBe(second)
  expect(one.now()).toBe(first)
  expect(await one.ask()).toBe(first)
  expect(load).toHaveBeenCalledTimes(1)
})

test('what could not come is asked for again by the next field', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const load = vi.fn(async (): Promise<{ part: number }> => Promise.reject(new TypeError('no network')))
  const one = arriving(load)
  expect(await one.ask()).toBeNull()
  expect(one.now()).toBeNull()
  expect(warned).toHaveBeenCalledTimes(1)
  load.mockResolvedValueOnce({ part: 2 })
  expect(await one.ask()).toEqual({ part: 2 })
  expect(one.now()).toEqual({ part: 2 })
})

const nothing = () => undefined
const options = Array.from({ length: 12 }, (_, at) => ({ value: `${at}`, label: `第 ${at} 個` }))

test('until then, and for good without it, the fields are the platform’s', () => {
  const day = renderToStaticMarkup(
    createElement(DateField, { label: '起日', value: '2026-11-23', onChange: nothing, name: 'starts_on' }),
  )
  expect(day).toMatch(
    /<input[^>]*value="2026-11-23"[^>]*type="date"|<input[^>]*type="date"[^>]*value="2026-11-23"/,
  )
  const select = createElement(SearchSelect, { label: '商品', value: '3', onChange: nothing, options })
  expect(renderToStaticMarkup(select)).toMatch(
    /<select.*<option value="3" selected="">第 3 個<\/option>.*<\/select>/,
  )
  const chip = createElement(SearchChip, { label: '策略', value: '3', onChange: nothing, options })
  expect(renderToStaticMarkup(chip)).toMatch(/<select aria-label="策略">/)
  const tags = renderToStaticMarkup(
    createElement(TagsField, { label: '標籤', noun: '標籤', value: ['突破'], onChange: nothing }),
  )
  expect(tags).toMatch(/<ul[^>]*aria-label="已加入的標籤"/)
  expect(tags).toContain('aria-label="移除標籤 突破"')
})
