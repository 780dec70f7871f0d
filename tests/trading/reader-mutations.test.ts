// Confirmed messages changed at random, the same changes every time: read the same, rightly changed, or held; a reader that guesses is
// caught by nearly every kind.
import { expect, test } from 'vitest'
import { sized } from '#tests/support/tier.ts'
import { readCarelessly } from './careless.ts'
import { inputFor, judge, judgeCorpus, summary } from './corpus.ts'
import { type Desk, deskFor } from './formats.ts'
import { judgeMutations, MUTATORS, mutations } from './mutations.ts'

const SEED = 20_261_120

test('what was confirmed is read as it was, rightly changed, or held', () => {
  const misread: string[] = []
  const desks = new Map<string, Desk>()
  let [read, count] = [0, 0]
  for (const { name, base, body, expect: wanted } of mutations(sized(5_000, 100_000), SEED)) {
    const { entry } = base
    let desk = desks.get(entry.path)
    if (desk === undefined) {
      desk = deskFor(entry)
      desks.set(entry.path, desk)
      const input = inputFor(entry)
      if (desk.read(input).kind === 'held') desk.confirm(entry, input)
    }
    count += 1
    const out = desk.read(inputFor(entry, body))
    if (out.kind !== 'signal') continue
    read += 1
    if (judge({ expect: wanted }, out) === 'misread')
      misread.push(`${name}: ${body}\n  of ${entry.body}: ${summary(out)}`)
  }
  expect(misread.slice(0, 20)).toEqual([])
  // Refusing everything would be no proof.
  expect(read / count).toBeGreaterThan(0.08)
})

test('every kind of mutation occurs, and a seed repeats itself', () => {
  const kinds = new Set([...mutations(3_000, SEED)].map(({ name }) => name))
  expect([...kinds].sort()).toEqual(Object.keys(MUTATORS).sort())
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
