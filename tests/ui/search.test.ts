// Search parameters as plain texts: what is written comes back, and numbers stay texts.
import { expect, test } from 'vitest'
import { parseSearch, stringifySearch, texts } from '#screen/search.ts'

test('round trip without JSON quoting', () => {
  const search = { tab: 'signals', text: '台指 100%', page: '2', signal: 'true' }
  expect(parseSearch(stringifySearch(search))).toEqual(search)
  expect(stringifySearch({ page: 2, empty: '', none: undefined })).toBe('?page=2')
  expect(stringifySearch({})).toBe('')
})

test('a schema keeps its names, org and panel, and nothing else', () => {
  expect(texts('tab')({ tab: 'a', org: 'personal', panel: 'outbox', evil: '1', __proto__: 'x' })).toEqual({
    tab: 'a',
    org: 'personal',
    panel: 'outbox',
  })
  expect(texts('tab')({ tab: '' })).toEqual({})
  expect(texts('tab')({ tab: 3 })).toEqual({})
})
