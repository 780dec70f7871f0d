// The log of access of a large organization: one page of each question, through the API, and the longest turn of the loop.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Insertable } from 'kysely'
import { readAccessLog } from '#contract/access.ts'
import type { InputOf } from '#contract/endpoint.ts'
import type { AccessChangeRow } from '#server/db/schema.ts'
import { newId } from '#server/ids.ts'
import { openOffice } from '#tests/support/office.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import type { Engine } from '#tests/support/server.ts'
import { percentile, report, round } from './figures.ts'

const MEMBERS = Number(process.env['MEMBERS'] ?? 5_000)
const STRATEGIES = Number(process.env['STRATEGIES'] ?? 200)
const NOTES = Number(process.env['NOTES'] ?? 100_000)
const GROUPS = 50
const ADMINS = 20
const READS = 40
const FROM_MS = Date.parse('2025-03-10T04:00:00.000Z')
const UNTIL_MS = Date.parse('2026-03-10T03:00:00.000Z')

type Note = Insertable<AccessChangeRow>

/** Everybody joins, comes into groups and leaves them again and again; strategies are given to groups, one in ten notes is of those. */
function notes(organization_id: string): { rows: Note[]; uid: string; strategy_id: string } {
  const rows: Note[] = []
  const holds = new Map<string, Note>()
  const [users, groups, strategies] = [MEMBERS, GROUPS, STRATEGIES].map((count) =>
    Array.from({ length: count }, () => newId()),
  ) as [string[], string[], string[]]
  const add = (fact: Note['fact'], of: Partial<Note>) => {
    const key = [fact, of.user_id, of.group_id, of.strategy_id].join(' ')
    const last = holds.get(key)
    const at = new Date(FROM_MS + ((UNTIL_MS - FROM_MS) * rows.length) / NOTES).toISOString()
    if (last) last.over_at = at
    const row: Note = {
      ...{ user_id: null, group_id: null, strategy_id: null, role: null, ends_on: null },
      ...{ id: newId(), organization_id, at, fact, starts_on: fact === 'strategy' ? null : '2025-01-01' },
      ...{ gone: last?.gone === 0 ? 1 : 0, changed_by: users[0], over_at: null },
      ...{ follows: last?.gone === 0 ? (last.id as string) : null },
      ...of,
    }
    holds.set(key, row)
    rows.push(row)
  }
  for (const [n, user_id] of users.entries())
    add('membership', { user_id, role: n < ADMINS ? 'admin' : 'member' })
  for (const strategy_id of strategies) add('strategy', { strategy_id })
  for (let n = 0; rows.length < NOTES; n++) {
    const group_id = groups[(n * 7) % GROUPS] as string
    if (n % 10 === 0) add('gift', { group_id, strategy_id: strategies[(n * 13) % STRATEGIES] as string })
    else add('place', { group_id, user_id: users[(n * 31) % MEMBERS] as string })
  }
  return { rows, uid: users[MEMBERS / 2] as string, strategy_id: strategies[13] as string }
}

async function measured(engine: Engine): Promise<Record<string, { p50: number; most: number }>> {
  const office = await openOffice(engine)
  try {
    const { id } = office.organization
    const { rows, uid, strategy_id } = notes(id)
    for (let from = 0; from < rows.length; from += 500)
      await office.server.app.db
        .insertInto('access_changes')
        .values(rows.slice(from, from + 500))
        .execute()
    const past = '2025-09-10T04:00:00.000Z'
    const deep = rows[Math.floor(NOTES / 2)]?.id as string
    const questions: Record<string, Omit<InputOf<typeof readAccessLog>, 'id'>> = {
      'now, everybody': {},
      'half a year ago, everybody': { at: past },
      'a strategy': { at: past, strategy_id },
      'a person': { at: past, user_id: uid },
      both: { at: past, user_id: uid, strategy_id },
      'changes from the middle on': { before: deep },
    }
    const found: Record<string, { p50: number; most: number }> = {}
    const loop = monitorEventLoopDelay({ resolution: 1 })
    for (const [name, question] of Object.entries(questions)) {
      const took: number[] = []
      loop.reset()
      loop.enable()
      for (let n = 0; n < READS; n++) {
        const began = performance.now()
        await office.inside(office.admin, readAccessLog, { id, limit: 100, ...question })
        took.push(performance.now() - began)
      }
      loop.disable()
      found[name] = { p50: round(percentile(took, 0.5)), most: round(loop.max / 1e6) }
    }
    return found
  } finally {
    await office.server.close()
  }
}

/** npm run bench -- access. MEMBERS, STRATEGIES and NOTES set the size. */
export async function accessLog(): Promise<void> {
  const engines: Engine[] = findPostgres() === null ? ['sqlite'] : ['sqlite', 'postgres']
  for (const engine of engines) {
    const found = await measured(engine)
    const words = Object.entries(found).map(([name, { p50, most }]) => `${name} ${p50} ms (turn ${most})`)
    report(
      `access-${engine}`,
      `${MEMBERS} members, ${STRATEGIES} strategies, ${NOTES} notes: ${words.join('; ')}`,
      found,
    )
  }
}
