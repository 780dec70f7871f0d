// What reading one body costs over the corpus, and 100,000 mutations of it without one misreading.
import { readPayload } from '#trading/payload/read.ts'
import { corpus, inputFor, judgeCorpus } from '../trading/corpus.ts'
import { judgeMutations } from '../trading/mutations.ts'
import { percentile, report, round } from './figures.ts'

const MUTATIONS = 100_000
const SEED = 1
const ROUNDS = 40
const WARM = 10

/** Measures and reports `reader`; throws when anything was misread. */
export async function reader(): Promise<void> {
  const inputs = corpus().map((entry) => inputFor(entry))
  const each = inputs.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < WARM + ROUNDS; round++) {
    inputs.forEach((input, i) => {
      const from = performance.now()
      readPayload(input)
      // The best of the rounds is the body's own cost; the rest is the machine's.
      if (round >= WARM) each[i] = Math.min(each[i] ?? Number.POSITIVE_INFINITY, performance.now() - from)
    })
  }
  const us = each.map((ms) => ms * 1000)
  const cost = {
    median_us: round(percentile(us, 0.5)),
    p99_us: round(percentile(us, 0.99)),
    mean_us: round(us.reduce((sum, one) => sum + one, 0) / us.length),
  }
  const judged = judgeCorpus()
  const wrong = judged.filter(({ verdict }) => verdict === 'misread').length
  const ordinary = judged.filter(({ entry }) => entry.ordinary)
  const read = ordinary.filter(({ outcome }) => outcome.kind === 'signal').length
  const from = performance.now()
  const { misread, kinds, read: accepted } = judgeMutations(MUTATIONS, SEED)
  const seconds = round((performance.now() - from) / 1000)
  const line =
    `${inputs.length} bodies, ${wrong} misread, ${read} of ${ordinary.length} ordinary orders read · one body p50 ${cost.median_us} µs, p99 ${cost.p99_us} µs, ${cost.mean_us} µs on average · ` +
    `${MUTATIONS.toLocaleString('en-US')} mutations of ${Object.keys(kinds).length} kinds in ${seconds} s, ${accepted} read, ${misread.length} misread`
  report('reader', line, {
    bodies: inputs.length,
    wrong,
    ordinary: ordinary.length,
    read,
    cost,
    mutations: MUTATIONS,
    accepted,
    misread: misread.length,
    examples: misread.slice(0, 50),
    kinds,
  })
  if (misread.length + wrong > 0)
    throw new Error(`${misread.length + wrong} misreadings:\n${misread.slice(0, 20).join('\n')}`)
}
