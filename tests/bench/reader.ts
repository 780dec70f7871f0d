// What reading one body costs over the corpus. Its mutations are judged by `npm run soak` (tests/trading/reader-mutations.test.ts).
import { readPayload } from '#trading/reader/generic.ts'
import { corpus, inputFor, judgeCorpus } from '../trading/corpus.ts'
import { percentile, report, round } from './figures.ts'

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
  const line = `${inputs.length} bodies, ${wrong} misread, ${read} of ${ordinary.length} ordinary orders read · one body p50 ${cost.median_us} µs, p99 ${cost.p99_us} µs, ${cost.mean_us} µs on average`
  report('reader', line, { bodies: inputs.length, wrong, ordinary: ordinary.length, read, cost })
  if (wrong > 0) throw new Error(`${wrong} misreadings`)
}
