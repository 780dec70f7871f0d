// The corpus changed at random, the same changes every time; a reader that guesses is caught by nearly every kind.
import { expect, test } from 'vitest'
import { sized } from '#tests/support/tier.ts'
import { readCarelessly } from './careless.ts'
import { judgeCorpus } from './corpus.ts'
import { judgeMutations, MUTATORS, mutations } from './mutations.ts'

const SEED = 20_261_120
const { misread, read, count, kinds } = judgeMutations(sized(3_000, 100_000), SEED)

test('no mutation is read as another direction, size, product or price', () => {
  expect(misread.slice(0, 40)).toEqual([])
})

test('a fair part of them is still read: refusing everything would be no proof', () => {
  expect(read / count).toBeGreaterThan(0.2)
})

test('every kind of mutation occurs, and a seed repeats itself', () => {
  expect(Object.keys(kinds).sort()).toEqual(Object.keys(MUTATORS).sort())
  const bodies = () => [...mutations(50, SEED)].map(({ body }) => body)
  expect(bodies()).toEqual(bodies())
})

test('negative control: a reader that guesses is caught, in the corpus and by the mutations', () => {
  expect(judgeCorpus(readCarelessly).filter(({ verdict }) => verdict === 'misread').length).toBeGreaterThan(
    200,
  )
  const guessed = judgeMutations(3_000, SEED, readCarelessly)
  expect(guessed.misread.length).toBeGreaterThan(600)
  const blind = Object.entries(guessed.kinds).filter(([, { misread: caught }]) => caught === 0)
  // Changes that mean nothing to a text cannot mislead anybody.
  expect(blind.map(([name]) => name).filter((name) => !name.startsWith('text'))).toEqual([])
})
