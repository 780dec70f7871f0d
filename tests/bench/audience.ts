// One strategy with very many members speaks often: what another owner's webhook notices while everybody's news is planned.
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { createStrategy } from '#contract/strategy.ts'
import { signUp } from '#tests/support/people.ts'
import { openCrowd } from './crowd.ts'
import { report } from './figures.ts'
import { figuresOf, watch } from './neighbours.ts'

const MEMBERS = Number(process.env['MEMBERS'] ?? 1_000)
const SIGNALS = Number(process.env['SIGNALS'] ?? 100)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 20)
const HOOKS = 6

/** npm run bench -- audience */
export async function audience(): Promise<void> {
  const crowd = await openCrowd(MEMBERS)
  try {
    const neighbour = await signUp(crowd.server, '鄰居')
    const hooks: string[] = []
    for (let n = 0; n < HOOKS; n++) {
      const settings = { product_code: 'MXF' }
      const made = await neighbour.call(createStrategy, { kind: 'futures', name: `鄰居 ${n}`, settings })
      hooks.push(new URL(made.webhooks?.[0]?.url as string).pathname)
    }
    const port = Number(new URL(crowd.server.url).port)
    await watch(port, hooks, 1)
    const calm = figuresOf(await watch(port, hooks, SECONDS / 2))
    const { told, behind } = planned(crowd.data_dir)
    const began = performance.now()
    const burst = (async () => {
      // Entries and exits in turn: what closes is looked at once more for each member.
      for (let n = 0; n < SIGNALS; n++) await crowd.send(46_000 + (n % 2))
    })()
    const noisy = figuresOf(await watch(port, hooks, SECONDS))
    await burst
    while (behind() > 0 && performance.now() - began < 300_000) await sleep(100)
    const seconds = Math.round((performance.now() - began) / 100) / 10
    report(
      'audience',
      `${SIGNALS} signals for ${MEMBERS} members: another owner's webhook p50 ${noisy.p50} p99 ${noisy.p99} max ${noisy.max} ms, ${noisy.refused} of ${noisy.sent} refused; quiet p50 ${calm.p50} p99 ${calm.p99} max ${calm.max} ms; ${told()} news planned after ${seconds} s, ${behind()} scopes behind`,
      { calm, noisy, seconds, planned: told(), behind: behind() },
    )
  } finally {
    await crowd.close()
  }
}

/** How much stands in the inboxes of all, and how many scopes have events that nobody has planned. */
function planned(data_dir: string): { told(): number; behind(): number } {
  const db = new Sqlite(`${data_dir}/lingbo.db`, { readonly: true })
  const count = (sql: string) => {
    const query = db.prepare(sql)
    return () => (query.get() as { count: number }).count
  }
  return {
    told: count('select count(*) as count from notifications'),
    behind: count(
      'select count(*) as count from counters as c left join notify_cursors as n on n.scope = c.scope where c.seq > coalesce(n.seq, 0)',
    ),
  }
}
