// What one confirmed message costs to match and to read, over the corpus. Its mutations are judged by `npm run soak`.
import { readMessage } from '#trading/reader/read.ts'
import { corpus, inputFor, judge } from '../trading/corpus.ts'
import { deskFor } from '../trading/formats.ts'
import { percentile, report, round } from './figures.ts'

const ROUNDS = 40
const WARM = 10

/** Measures and reports `reader`; throws when anything was misread. */
export async function reader(): Promise<void> {
  const entries = corpus()
  const confirmed = entries.flatMap((entry) => {
    const desk = deskFor(entry)
    const input = inputFor(entry)
    if (desk.read(input).kind === 'held') desk.confirm(entry, input)
    const out = desk.read(input)
    return out.kind === 'signal' ? [{ entry, input, out, formats: desk.formats }] : []
  })
  const each = confirmed.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < WARM + ROUNDS; round++)
    confirmed.forEach(({ input, formats }, i) => {
      const from = performance.now()
      readMessage(input, formats)
      // The best of the rounds is the body's own cost; the rest is the machine's.
      if (round >= WARM) each[i] = Math.min(each[i] ?? Number.POSITIVE_INFINITY, performance.now() - from)
    })
  const us = each.map((ms) => ms * 1000)
  const cost = {
    median_us: round(percentile(us, 0.5)),
    p99_us: round(percentile(us, 0.99)),
    mean_us: round(us.reduce((sum, one) => sum + one, 0) / us.length),
  }
  const wrong = confirmed.filter(({ entry, out }) => judge(entry, out) === 'misread').length
  const ordinary = entries.filter((entry) => entry.ordinary).length
  const read = confirmed.filter(({ entry }) => entry.ordinary).length
  const line = `${entries.length} bodies, ${wrong} misread, ${read} of ${ordinary} ordinary orders read or confirmed · one body p50 ${cost.median_us} µs, p99 ${cost.p99_us} µs, ${cost.mean_us} µs on average`
  report('reader', line, { bodies: entries.length, wrong, ordinary, read, cost })
  if (wrong > 0) throw new Error(`${wrong} misreadings`)
}
