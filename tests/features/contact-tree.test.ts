// A contact tree changed at one place: the rest stands as it stood.
import { expect, test } from 'vitest'
import type { ContactNode } from '#contract/organization.ts'
import { add, countBeside, moved, replace, without } from '#features/organization/contact-tree.ts'
import { fc } from '#tests/support/property.ts'

const node = (label: string, ...children: ContactNode[]): ContactNode => ({
  ...{ label, type: 'text', value: null },
  ...(children.length > 0 && { children }),
})
const TREE = [node('a', node('b', node('c'), node('d')), node('e')), node('f')]
/** As one line: a(b(c d) e) f. */
const shown = (nodes: readonly ContactNode[]): string =>
  nodes
    .map(({ label, children = [] }) => (children.length > 0 ? `${label}(${shown(children)})` : label))
    .join(' ')

test('added under a place, put into one, taken out, moved among its own', () => {
  expect(shown(add(TREE, [], node('x')))).toBe('a(b(c d) e) f x')
  expect(shown(add(TREE, [0, 0], node('x')))).toBe('a(b(c d x) e) f')
  expect(shown(add(TREE, [1], node('x')))).toBe('a(b(c d) e) f(x)')
  expect(shown(replace(TREE, [0, 0], { label: 'x', type: 'url', value: 'https://x.example' }))).toBe(
    'a(x(c d) e) f',
  )
  expect(shown(without(TREE, [0, 0]))).toBe('a(e) f')
  expect(shown(without(TREE, [0, 0, 1]))).toBe('a(b(c) e) f')
  expect(shown(moved(TREE, [0, 0], 1))).toBe('a(e b(c d)) f')
  expect(shown(moved(TREE, [1], -1))).toBe('f a(b(c d) e)')
  expect([countBeside(TREE, [0]), countBeside(TREE, [0, 1]), countBeside(TREE, [0, 0, 0])]).toEqual([2, 2, 2])
})

test('at an end it stays; up and down again is where it was, wherever it stands', () => {
  expect(shown(moved(TREE, [0], -1))).toBe(shown(TREE))
  expect(shown(moved(TREE, [0, 1], 1))).toBe(shown(TREE))
  const places = [[0], [1], [0, 0], [0, 1], [0, 0, 0], [0, 0, 1]]
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.constantFrom(-1 as const, 1 as const), (place, by) => {
      const there = moved(TREE, place, by)
      const at = place.with(-1, (place.at(-1) ?? 0) + by)
      const back = shown(there) === shown(TREE) ? there : moved(there, at, by === 1 ? -1 : 1)
      expect(shown(back)).toBe(shown(TREE))
    }),
  )
})
