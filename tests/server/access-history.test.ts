// Who could see what, at any past moment: the log answers as the product did at that moment, whatever came afterwards (docs/decisions/access.md).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccessChange, readAccessLog } from '#contract/access.ts'
import { linkNotes } from '#server/db/migrations/until-054.ts'
import { dice, lineOf, live, type Moment } from '#tests/support/access-history.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import { SEED } from '#tests/support/property.ts'

const STEPS = 200
/** Past moments asked for in small pages or by somebody, of all that were lived through. */
const ASKED = 40

describeEngines('a history of access', (engine) => {
  let office: Office
  let moments: Moment[]
  beforeAll(async () => {
    office = await openOffice(engine)
    moments = await live(office, STEPS, SEED)
  })
  afterAll(() => office.server.close())

  type Question = { at?: string; user_id?: string; strategy_id?: string }
  /** `until`: changes of this moment and of before are not read to their end; `rows`: no changes are. */
  type Asked = Question & { only?: 'rows'; until?: string }
  /** What the log answers, page by page: everything, where nothing else is said. */
  async function ask({ only, until = '', ...question }: Asked, limit = 7) {
    const { inside, admin, organization } = office
    const lines: string[] = []
    const items: AccessChange[] = []
    const call = (more: object) =>
      inside(admin, readAccessLog, { id: organization.id, limit, ...question, ...more })
    let page = await call({})
    for (;;) {
      lines.push(
        ...page.rows.map(({ user, strategy, role, visible_from, valid_until }) =>
          lineOf({ ...{ user_id: user.id, strategy_id: strategy.id }, role, visible_from, valid_until }),
        ),
      )
      items.push(...page.items)
      if (page.next_after !== null)
        page = { ...(await call({ after: page.next_after })), next_before: page.next_before }
      else if (page.next_before !== null && only !== 'rows' && (items.at(-1)?.at ?? '~') > until)
        page = await call({ before: page.next_before })
      else return { lines, items }
    }
  }
  /** The same random moments in every run. */
  function some(count: number): Moment[] {
    const roll = dice(SEED + 1)
    return Array.from({ length: count }, () => moments[roll(moments.length)] as Moment)
  }
  const part = (lines: readonly string[], at: number, id: string) =>
    lines.filter((line) => line.split(' ')[at] === id)

  test('a history worth asking about: people came and went, and what they saw changed often', () => {
    const kinds = new Set(moments.map(({ lines }) => lines.join('\n')))
    expect(kinds.size).toBeGreaterThan(60)
    expect(moments.some(({ lines }) => lines.some((line) => line.includes('member')))).toBe(true)
  })
  test('who could see what is what the product showed at that moment', async () => {
    for (const { at, lines } of some(ASKED))
      expect([at, (await ask({ at, only: 'rows' })).lines.sort()]).toEqual([at, lines])
  })
  test('the same of one person, of one strategy, and of both', async () => {
    const roll = dice(SEED + 2)
    for (const { at, lines } of some(ASKED)) {
      const line = lines[roll(lines.length)]?.split(' ')
      if (!line) continue
      const [user_id = '', strategy_id = ''] = line
      expect((await ask({ at, user_id, only: 'rows' })).lines.sort()).toEqual(part(lines, 0, user_id))
      expect((await ask({ at, strategy_id, only: 'rows' })).lines.sort()).toEqual(part(lines, 1, strategy_id))
      const both = part(part(lines, 0, user_id), 1, strategy_id)
      expect((await ask({ at, user_id, strategy_id, only: 'rows' })).lines).toEqual(both)
    }
  })
  test('whatever differs between two moments of one day has a change that made it so, also when asked by person or strategy', async () => {
    for (const [i, { at, day, lines }] of moments.entries()) {
      const before = moments[i - 1]
      if (!before || before.day !== day || before.lines.join() === lines.join()) continue
      const differs = [
        ...lines.filter((line) => !before.lines.includes(line)),
        ...before.lines.filter((line) => !lines.includes(line)),
      ]
      const within = async (question: Question) =>
        (await ask({ at, until: before.at, ...question }, 200)).items.filter((one) => one.at > before.at)
          .length
      expect(await within({})).toBeGreaterThan(0)
      for (const line of differs.slice(0, 2)) {
        const [user_id = '', strategy_id = ''] = line.split(' ')
        expect([line, await within({ user_id })]).not.toEqual([line, 0])
        expect([line, await within({ strategy_id })]).not.toEqual([line, 0])
        expect([line, await within({ user_id, strategy_id })]).not.toEqual([line, 0])
      }
    }
  })
  test('changes come newest first, none twice, none missing, each with what it follows', async () => {
    const { lines, items } = await ask({})
    expect(lines.sort(), 'pages of changes bring no rows again').toEqual(moments.at(-1)?.lines)
    const all = await office.server.app.db
      .selectFrom('access_changes')
      .select('id')
      .where('organization_id', '=', office.organization.id)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    expect(items.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    for (const { kind, before, after } of items)
      expect([kind, before === null, after === null]).toEqual([kind, kind === 'granted', kind === 'ended'])
  })

  test('notes of before are linked by migration 036 as they would have been when they were made', async () => {
    const { db } = office.server.app
    const linked = () =>
      db.selectFrom('access_changes').select(['id', 'follows', 'over_at']).orderBy('id').execute()
    const before = await linked()
    expect(before.filter(({ over_at }) => over_at !== null).length).toBeGreaterThan(100)
    await db.updateTable('access_changes').set({ follows: null, over_at: null }).execute()
    await linkNotes(db as never)
    expect(await linked()).toEqual(before)
  })
})
