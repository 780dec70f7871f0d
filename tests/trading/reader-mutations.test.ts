// Five thousand mutations of the corpus, the same ones every time; a reader that guesses is caught by nearly every kind.
import { expect, test } from 'vitest'
import { readCarelessly } from './careless.ts'
import { judgeCorpus } from './corpus.ts'
import { judgeMutations, MUTATORS, mutations } from './mutations.ts'

const SEED = 20_261_120
const COUNT = 5000

test('no mutation is read as another direction, size, product or price', () => {
  const { misread } = judgeMutations(COUNT, SEED)
  expect(misread.slice(0, 40)).toEqual([])
})

test('a fair part of them is still read: refusing everything would be no proof', () => {
  const { read, count } = judgeMutations(COUNT, SEED)
  expect(read / count).toBeGreaterThan(0.2)
})

test('every kind of mutation occurs, and a seed repeats itself', () => {
  const { kinds } = judgeMutations(COUNT, SEED, () => ({ kind: 'heartbeat' }))
  expect(Object.keys(kinds).sort()).toEqual(Object.keys(MUTATORS).sort())
  const bodies = () => [...mutations(50, SEED)].map(({ body }) => body)
  expect(bodies()).toEqual(bodies())
})

test('negative control: a reader that guesses is caught, in the corpus and by the mutations', () => {
  expect(judgeCorpus(readCarelessly).filter(({ verdict }) => verdict === 'misread').length).toBeGreaterThan(
    200,
  )
  const { kinds, misread } = judgeMutations(COUNT, SEED, readCarelessly)
  expect(misread.length).toBeGreaterThan(1000)
  const blind = Object.entries(kinds).filter(([, { misread: caught }]) => caught === 0)
  // Changes that mean nothing to a text cannot mislead anybody.
  expect(blind.map(([name]) => name).filter((name) => !name.startsWith('text'))).toEqual([])
})
