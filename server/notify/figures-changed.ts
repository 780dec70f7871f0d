// What an upgrade changed: the figures that were kept, beside those of the same records as this version folds them. Each owner is told once,
// in the inbox (docs/when-figures-change.md); who looks meanwhile sees the new ones already.
import { sql } from 'kysely'
import type { Scope } from '#contract/events.ts'
import type { StatsSummary } from '#contract/statistics.ts'
import { FOLDED_AS } from '#trading/fold/run.ts'
import { number, percent, signed } from '#trading/written.ts'
import { today } from '../access/membership.ts'
import type { App } from '../context.ts'
import type { StrategyRow } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import type { Job } from '../jobs/jobs.ts'
import { figuresOf, foldAgain } from '../record/refold.ts'
import { editorsOf } from './audience.ts'
import { contextOf, enqueue, organizationOf, tell } from './enqueue.ts'

/** Strategies of one line in the inbox. */
const AT_ONCE = 10

const known = (value: number | null | undefined, how: (value: number) => string) =>
  value == null ? '—' : how(value)
/** A figure counts as changed when it is written otherwise. */
const FIGURES: readonly (readonly [string, (summary: StatsSummary) => string])[] = [
  ['淨損益', ({ net_profit }) => `${known(net_profit, signed)} 元`],
  ['交易', ({ trade_count }) => `${known(trade_count, number)} 筆`],
  ['勝率', ({ win_rate }) => known(win_rate, percent)],
  ['最大回撤', ({ max_drawdown_pct }) => known(max_drawdown_pct, percent)],
  ['最大回撤額', ({ max_drawdown }) => `${known(max_drawdown, number)} 元`],
]

/** Tells the owner of all figures that an upgrade changed, some strategies a line. */
export async function tellChanged(app: App, job: Job<'figures'>): Promise<void> {
  const scope = job.owner as Scope
  while (!job.over) {
    const rows = await app.db
      .selectFrom('strategies')
      .innerJoin('snapshots as before', (join) =>
        join.onRef('before.strategy_id', '=', 'strategies.id').on('before.kind', '=', 'before'),
      )
      .selectAll('strategies')
      .select(['before.chain_seq as kept_seq', 'before.version as kept_version', 'before.data as kept'])
      .where('strategies.scope', '=', scope)
      .orderBy('strategies.id')
      .limit(AT_ONCE)
      .execute()
    if (rows.length === 0) return
    const changed: { row: StrategyRow; words: string }[] = []
    for (const row of rows) {
      if (job.over) return
      await job.pause()
      // Whoever changed the terms since, or deleted it, knows why the figures are others.
      if (row.version !== row.kept_version || row.deleted_at !== null) continue
      const words = await differences(app, row, job.owner)
      if (words !== '') changed.push({ row, words })
    }
    await inTransaction(app, async (tx) => {
      await job.mine(tx)
      if (changed.length > 0) await enqueue(app, tx, await newsOf(app, tx, scope, changed))
      const ids = rows.map(({ id }) => id)
      await sql`delete from snapshots where kind = 'before' and strategy_id in (${sql.join(ids)})`.execute(
        tx.db,
      )
    })
  }
}

/** Before → after of the same records; '' where they are the same. */
async function differences(
  app: App,
  row: StrategyRow & { kept_seq: number; kept: string },
  account: string,
): Promise<string> {
  const then = { ...row, chain_seq: row.kept_seq }
  const { whole, running, closed_days } = await foldAgain(app, then, account, 'fold')
  if (!running) return ''
  const { summary } = figuresOf(running, whole.state, row, closed_days)
  const before = (JSON.parse(row.kept) as { summary: StatsSummary }).summary
  const moved = FIGURES.flatMap(([name, written]) => {
    const [was, is] = [written(before), written(summary)]
    return was === is ? [] : `${name} ${was} → ${is}`
  })
  return moved.join('、')
}

async function newsOf(
  app: App,
  { db }: { db: App['db'] },
  scope: Scope,
  changed: readonly { row: StrategyRow; words: string }[],
) {
  const { row } = changed[0] as { row: StrategyRow }
  const one = changed.length === 1
  const lines = changed.map(({ row, words }) => (one ? words : `${row.name}：${words}`))
  const told = {
    key: `figures ${row.id} ${FOLDED_AS}`,
    title: `${one ? row.name : `${number(changed.length)} 個策略`} · 升級後重算，數字變了`,
    body: [...lines, '由同一份紀錄以改正過的算法重算；訊號與雜湊都沒有變'].join('\n'),
    link: `/strategies${one ? `/${row.id}` : ''}?org=${contextOf(scope)}`,
  }
  const about = { organization_id: organizationOf(scope), strategy_id: one ? row.id : null }
  return tell('alarm', await editorsOf(db, scope, today(app)), told, about).map((news) => ({
    ...news,
    // It happened long ago: the inbox has it, no telephone rings.
    silent: true,
  }))
}
