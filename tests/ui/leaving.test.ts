// Who leaves is not told that a right has ended; who is put out is.
import { expect, test } from 'vitest'
import { dissolving, leaving, lostWords } from '#screen/leaving.ts'

test('own leaving is leaving, whichever message comes first; once', () => {
  leaving.onMutate({ id: 'a' })
  expect(lostWords('a', 'not_member', '海風')).toBe('已離開「海風」')
  expect(lostWords('a', 'not_member', '海風')).toBe('你在「海風」的權限已結束')
  expect(lostWords('b', 'left', '海風')).toBe('已離開「海風」')
})

test('what others did says so; a refused leaving leaves no trace', () => {
  leaving.onMutate({ id: 'c' })
  leaving.onError(null, { id: 'c' })
  expect(lostWords('c', 'removed', null)).toBe('你在這個組織的權限已結束')
  expect(lostWords('c', 'dissolved', '海風')).toBe('「海風」已解散')
})

test('who dissolves an organization hears that they did, others that it was', () => {
  dissolving.onMutate({ id: 'd' })
  expect(lostWords('d', 'not_member', '海風')).toBe('已解散「海風」')
  dissolving.onMutate({ id: 'd' })
  dissolving.onError(null, { id: 'd' })
  expect(lostWords('d', 'dissolved', '海風')).toBe('「海風」已解散')
})
