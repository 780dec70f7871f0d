// Every accepted body of the corpus, changed at random: read the same, in the changed sense, or refused; never otherwise.
import { corpus, inputFor, judge, type Reader, summary } from './corpus.ts'
import * as dress from './mutations/dress.ts'
import * as leaves from './mutations/leaves.ts'
import { type Base, basesOf } from './mutations/meaning.ts'
import * as orders from './mutations/orders.ts'
import { type Mutator, type Random, randomFrom } from './mutations/random.ts'
import * as texts from './mutations/texts.ts'
import * as ways from './mutations/ways.ts'

const { redressed, ...dressers } = dress
export const MUTATORS: Readonly<Record<string, Mutator>> = {
  ...leaves,
  ...orders,
  ...ways,
  ...texts,
  ...dressers,
}
const NAMES = Object.keys(MUTATORS)

export interface Mutation {
  name: string
  base: Base
  body: string
  expect: Parameters<typeof judge>[0]['expect']
}

let all: readonly Base[] | undefined

/** A seeded stream of mutations; what does not apply or changes nothing is passed over. */
export function* mutations(count: number, seed: number): Generator<Mutation> {
  const random: Random = randomFrom(seed)
  all ??= basesOf(corpus())
  for (let made = 0; made < count; ) {
    const name = random.one(NAMES) as string
    const base = random.one(all) as Base
    const changed = MUTATORS[name]?.(base, random)
    if (!changed || changed.body === base.entry.body) continue
    made += 1
    const expect = {
      either: [...changed.allowed.map((signal) => ({ signal })), { refused: 'any' as const }],
    }
    // Every fourth wears other clothes besides.
    const body = random.upTo(4) === 0 ? redressed(changed.body, random) : changed.body
    yield { name, base, body, expect }
  }
}

export interface Tally {
  count: number
  read: number
  refused: number
  /** One line for each misreading. */
  misread: string[]
  /** How many of each kind were made, and misread. */
  kinds: Record<string, { made: number; misread: number }>
}

/** A reader over seeded mutations. */
export function judgeMutations(count: number, seed: number, read: Reader): Tally {
  const tally: Tally = { count, read: 0, refused: 0, misread: [], kinds: {} }
  for (const { name, base, body, expect } of mutations(count, seed)) {
    const outcome = read(inputFor(base.entry, body))
    const kind = tally.kinds[name] ?? { made: 0, misread: 0 }
    tally.kinds[name] = kind
    kind.made += 1
    if (outcome.kind === 'signal') tally.read += 1
    else tally.refused += 1
    if (judge({ expect }, outcome) !== 'misread') continue
    kind.misread += 1
    tally.misread.push(`${name}: ${body}\n  of ${base.entry.path}: ${summary(outcome)}`)
  }
  return tally
}
