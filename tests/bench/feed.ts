// What a fresh device asks: the newest 200, then thousands, until it has 5,000 records.
import { type Envelope, type OutputOf, route } from '#contract/endpoint.ts'
import { signalFeed } from '#contract/signal.ts'
import { openPlace } from './app.ts'
import { report, shown, spread } from './figures.ts'

const RECORDS = 5_000
const RUNS = 5

/** npm run bench -- feed. The goal: at most 300 ms altogether, one round trip per 1,000 (and one for the first 200). */
export async function feed(): Promise<void> {
  const place = await openPlace(RECORDS)
  const { path } = route(signalFeed, {})
  const totals: number[] = []
  const firsts: number[] = []
  let trips = 0
  let bytes = 0
  try {
    for (let run = 0; run <= RUNS; run++) {
      const began = performance.now()
      let before: number | null = null
      let held = 0
      trips = 0
      bytes = 0
      for (let more = true; more && held < RECORDS; trips++) {
        const limit = before === null ? 200 : Math.min(1_000, RECORDS - held)
        const query = `latest=true&limit=${limit}${before === null ? '' : `&before=${before}`}`
        const answer = await place.server.request(`/api/v1${path}?${query}`, {
          headers: { authorization: `Bearer ${place.person.token}` },
        })
        const text = await answer.text()
        bytes += text.length
        const { result } = JSON.parse(text) as Envelope<OutputOf<typeof signalFeed>>
        held += result?.items.length ?? 0
        before = Math.min(...(result?.items.map(({ seq }) => seq) ?? [0]))
        more = result?.more ?? false
        if (trips === 0 && run > 0) firsts.push(performance.now() - began)
      }
      if (held < RECORDS) throw new Error(`${held} records instead of ${RECORDS}`)
      if (run > 0) totals.push(performance.now() - began) // the first run is the server's warm-up
    }
  } finally {
    await place.close()
  }
  report(
    'feed',
    `${RECORDS} records in ${trips} round trips, ${(bytes / 1e6).toFixed(1)} MB: ${shown(spread(totals), 'ms')}, the first 200 ${shown(spread(firsts), 'ms')}`,
    { total_ms: spread(totals), first_ms: spread(firsts), trips, bytes },
  )
}
