// Work that is done later, again, or at a time: once a job in however many processes, owners in turn, again after a failure, after
// signals, and whole when a process ends in between. Another process is another runner on the same database, with a clock of its own.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '#server/events/append.ts'
import { kindsOf } from '#server/job-kinds.ts'
import { eachAlone, type Job, Jobs, LostJob } from '#server/jobs/jobs.ts'
import { enqueue, type JobKind, takeJob } from '#server/jobs/table.ts'
import { endExpired } from '#server/membership/store.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { insertMember, insertOrganization } from '#tests/support/organizations.ts'
import { signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

type Run = (job: Job) => Promise<void> | Promise<string | undefined>

describeEngines('jobs', (engine) => {
  let server: TestServer
  let ms = Date.parse('2026-11-20T02:00:00.000Z')
  const processes: Jobs[] = []
  const held: (() => void)[] = []
  beforeAll(async () => {
    server = await startServer({ engine, overrides: { now: () => ms } })
    for (const kind of Object.keys(kindsOf(server.app)) as JobKind[]) server.app.jobs.held.add(kind)
    await server.app.jobs.settled()
  })
  afterAll(() => server.close())
  afterEach(async () => {
    for (const letGo of held.splice(0)) letGo()
    for (const one of processes.splice(0)) await one.stop()
    await server.app.db.deleteFrom('jobs').execute()
  })

  /** A process that does one kind in this way, and looks only when it is told to. */
  function process(
    run: Run,
    {
      pressed,
      now = () => ms,
      stuck_ms,
    }: { pressed?: () => boolean; now?: () => number; stuck_ms?: number } = {},
  ): Jobs {
    const of = { ...server.app, now }
    const kinds = { ...kindsOf(server.app), import: { run }, erase: { run } }
    const jobs = new Jobs(
      () => of,
      () => kinds,
      pressed,
      stuck_ms,
    )
    processes.push(jobs)
    return jobs
  }
  const ask = (key: string, owner = 'p:u', kind: JobKind = 'import', due_at = ''): Promise<void> =>
    enqueue(server.app.db, { kind: kind as 'import', key, owner, data: null, due_at })
  const rows = () =>
    server.app.db.selectFrom('jobs').selectAll().where('key', '<>', '').orderBy('id').execute()
  /** Stands still until it is let go. */
  function gate() {
    let open = (): void => undefined
    const opened = new Promise<void>((next) => {
      open = next
    })
    held.push(open)
    return { open, opened }
  }

  test('the same work waits once, a job is there only if its transaction is, and is gone when it is done', async () => {
    const done: string[] = []
    const one = process(async ({ key }) => void done.push(key))
    await ask('a')
    await ask('a')
    await ask('later', 'p:u', 'import', new Date(ms + 1).toISOString())
    const broken = inTransaction(server.app, async (tx) => {
      await one.add(tx, { kind: 'import', key: 'b', owner: 'p:u', data: null })
      throw new Error('rolled back')
    })
    await expect(broken).rejects.toThrow('rolled back')
    await one.settled()
    expect(done).toEqual(['a'])
    expect((await rows()).map(({ key }) => key)).toEqual(['later'])
    ms += 1
    await one.settled()
    expect(done).toEqual(['a', 'later'])
    await inTransaction(server.app, (tx) =>
      one.add(tx, { kind: 'import', key: 'b', owner: 'p:u', data: null }),
    )
    // Begun by the commit itself.
    await expect.poll(() => done).toEqual(['a', 'later', 'b'])
    await one.settled()
    expect(await rows()).toEqual([])
  })

  test('asked for while it is being done, it is done once more', async () => {
    const { open, opened } = gate()
    let runs = 0
    const one = process(async () => {
      if (++runs === 1) await opened
    })
    await ask('a')
    one.wake('import')
    await expect.poll(() => runs).toBe(1)
    await ask('a')
    open()
    await one.settled()
    expect(runs).toBe(2)
    expect(await rows()).toEqual([])
  })

  test('two processes: each job once, both at work', async () => {
    const done: string[] = []
    const run = (by: string) => async (job: Job) => {
      done.push(`${job.key} ${by}`)
      await sleep(2)
    }
    const [one, two] = [process(run('one')), process(run('two'))]
    for (let i = 0; i < 40; i++) await ask(`job ${i}`, `p:${i % 7}`)
    await Promise.all([one.settled(), two.settled()])
    expect(new Set(done.map((name) => name.replace(/ \w+$/, ''))).size).toBe(40)
    expect(done).toHaveLength(40)
    expect(new Set(done.map((name) => name.split(' ')[2]))).toEqual(new Set(['one', 'two']))
  })

  test('owners take turns, whoever has asked for more', async () => {
    const done: string[] = []
    const one = process(async ({ owner }) => void done.push(owner))
    for (let i = 0; i < 6; i++) await ask(`many ${i}`, 'p:many')
    await ask('one', 'p:one')
    await ask('two', 'o:two')
    await one.settled()
    expect(done.slice(0, 3).toSorted()).toEqual(['o:two', 'p:many', 'p:one'])
    expect(done).toHaveLength(8)
  })

  test('what fails comes again, later each time, with its reason beside it, and holds nobody up', async () => {
    const done: string[] = []
    let broken = true
    const one = process(async ({ key }) => {
      if (key === 'bad' && broken) throw new Error('不行')
      done.push(key)
    })
    await ask('bad')
    await ask('good')
    await one.settled()
    expect(done).toEqual(['good'])
    const rests: number[] = []
    for (let i = 0; i < 12; i++) {
      const [row] = await rows()
      expect(row).toMatchObject({ key: 'bad', attempts: i + 1, last_error: '不行', lease: null })
      rests.push(Date.parse(row?.due_at as string) - ms)
      // Asked for again it rests all the same.
      await ask('bad')
      await one.settled()
      expect((await rows())[0]?.attempts).toBe(i + 1)
      ms = Date.parse(row?.due_at as string)
      await one.settled()
    }
    expect(rests.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000])
    expect(Math.max(...rests)).toBe(300_000)
    broken = false
    // A clock that was ahead put it off: nobody waits for that day.
    ms -= 30 * 86_400_000
    await one.start()
    await one.settled()
    expect(done).toEqual(['good', 'bad'])
    expect(await rows()).toEqual([])
  })

  test('a holder that stands still loses the job to another, and can neither go on with it nor finish it', async () => {
    const { open, opened } = gate()
    const said: string[] = []
    // Its clock, and with it its renewing, stands still as well.
    const stood = ms
    const stale = process(
      async (job) => {
        said.push('stale begins')
        await opened
        // What it had begun is rolled back.
        const piece = inTransaction(server.app, async (tx) => {
          await tx.db.insertInto('ground').values({ name: 'by the stale one', value: '1' }).execute()
          await job.mine(tx)
        })
        await expect(piece).rejects.toThrow(LostJob)
        const last = inTransaction(server.app, (tx) => job.done(tx))
        await expect(last).rejects.toThrow(LostJob)
        said.push(`stale over: ${job.over}`)
      },
      { now: () => stood },
    )
    const inHand = gate()
    const other = process(async (job) => {
      said.push('other begins')
      await inHand.opened
      await inTransaction(server.app, (tx) => job.mine(tx))
      said.push('other ends')
    })
    await ask('a')
    stale.wake('import')
    await expect.poll(() => said).toEqual(['stale begins'])
    await other.settled()
    expect(said).toEqual(['stale begins'])
    ms += 6_000
    other.wake('import')
    await expect.poll(() => said).toEqual(['stale begins', 'other begins'])
    open()
    await stale.settled()
    expect(said.at(-1)).toBe('stale over: true')
    // Neither did its return end it.
    expect(await rows()).toMatchObject([{ key: 'a' }])
    expect((await rows())[0]?.lease).not.toBeNull()
    inHand.open()
    await other.settled()
    expect(said.at(-1)).toBe('other ends')
    expect(await rows()).toEqual([])
    expect(
      await server.app.db
        .selectFrom('ground')
        .select('name')
        .where('name', '=', 'by the stale one')
        .execute(),
    ).toEqual([])
  })

  test('a long job is renewed: nobody takes it, however long it takes', async () => {
    const { open, opened } = gate()
    let now = ms
    const done: string[] = []
    const one = process(
      async () => {
        await opened
        done.push('one')
      },
      { now: () => now },
    )
    const two = process(async () => void done.push('two'), { now: () => now })
    await ask('a')
    one.wake('import')
    await expect.poll(async () => (await rows())[0]?.lease).toBeTruthy()
    now += 2_000
    const until = (await rows())[0]?.lease_until
    await expect.poll(async () => (await rows())[0]?.lease_until, { timeout: 5_000 }).not.toBe(until)
    now += 2_000
    await two.settled()
    open()
    await one.settled()
    expect(done).toEqual(['one'])
  })

  test('one that never returns gives way after a while without a sign of life; what it does then finds that it is not its own', async () => {
    const { open, opened } = gate()
    const [done, late]: [string[], unknown[]] = [[], []]
    const one = process(
      async (job) => {
        if (job.key === 'busy') for (let n = 0; n < 5; n++) await sleep(100).then(() => job.pause())
        if (job.key !== 'stuck') return void done.push(job.key)
        await opened
        await inTransaction(server.app, (tx) => job.mine(tx)).catch((error: unknown) => late.push(error))
      },
      { stuck_ms: 300 },
    )
    await ask('stuck', 'p:a')
    await ask('busy', 'p:b')
    await ask('other', 'p:c')
    await one.settled()
    // Who gives signs of life may take longer.
    expect(done).toEqual(['busy', 'other'])
    expect(await rows()).toMatchObject([
      { key: 'stuck', lease: null, attempts: 1, last_error: expect.stringContaining('沒有動靜') },
    ])
    open()
    await expect.poll(() => late).toEqual([expect.any(LostJob)])
  })

  test('a killed owner’s work moves within three seconds', async () => {
    await ask('a')
    // Nothing of its process goes on: the lease stays as it was written.
    await takeJob(server.app.db, 'import', '', {
      ...{ token: 'killed', now_ms: Date.now(), ms: 2_400, rest_most_ms: undefined },
    })
    const [killed_at, moved]: [number, number[]] = [Date.now(), []]
    const other = process(async () => void moved.push(Date.now()), { now: () => Date.now() })
    for (const kind of Object.keys(kindsOf(server.app)) as JobKind[])
      if (kind !== 'import') other.held.add(kind)
    await other.start()
    await expect.poll(() => moved.length, { timeout: 10_000 }).toBe(1)
    expect((moved[0] as number) - killed_at).toBeLessThan(3_000)
  })

  test('one that always fails holds up none behind it: of announcements, of ends of memberships', async () => {
    const went: number[] = []
    const each = eachAlone([1, 2, 3], async (n) => {
      if (n === 1) throw new Error('always')
      went.push(n)
    })
    await expect(each).rejects.toThrow('always')
    expect(went).toEqual([2, 3])

    const { app } = server
    const organization_id = await insertOrganization(app.db, '到期')
    const uids: string[] = []
    for (const name of ['甲', '乙']) uids.push((await signUp(server, name)).uid)
    const [first, second] = uids.toSorted() as [string, string]
    for (const uid of uids) await insertMember(app.db, organization_id, uid, { expires_on: '2026-01-10' })
    const refuses = (body: string) =>
      sql.raw(`create trigger no_event before insert on events ${body}`).execute(app.db)
    if (engine === 'sqlite')
      await refuses(`when new.scope = 'p:${first}' begin select raise(abort, 'not this one'); end`)
    else {
      await sql
        .raw(
          "create function no_event() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$",
        )
        .execute(app.db)
      await refuses(`for each row when (new.scope = 'p:${first}') execute function no_event()`)
    }
    try {
      await expect(endExpired(app)).rejects.toThrow()
      const told = await app.db
        .selectFrom('events')
        .select('scope')
        .where('kind', '=', 'context-revoked')
        .where('scope', 'in', [`p:${first}`, `p:${second}`])
        .execute()
      expect(told).toEqual([{ scope: `p:${second}` }])
    } finally {
      await sql`drop trigger no_event ${sql.raw(engine === 'postgres' ? 'on events' : '')}`.execute(app.db)
    }
    expect(await endExpired(app)).toBe(1)
  })

  test('stopped in the middle it is free at once, with what was noted, and was begun no time', async () => {
    const { open, opened } = gate()
    const one = process(async (job) => {
      await inTransaction(server.app, (tx) => (job as Job<'refold'>).note(tx, { from_seq: 7 }))
      await opened
      expect(job.over).toBe(true)
    })
    await ask('a')
    one.wake('import')
    await expect.poll(async () => (await rows())[0]?.data).toBe('{"from_seq":7}')
    const stopped = one.stop()
    open()
    await stopped
    expect(await rows()).toMatchObject([{ key: 'a', lease: null, due_at: '', attempts: 0 }])
    const seen: unknown[] = []
    await process(async ({ data }) => void seen.push(data)).settled()
    expect(seen).toEqual([{ from_seq: 7 }])
  })

  test('killed in the middle: another goes on as soon as the lease is over; on SQLite the next start at once', async () => {
    // Its process is gone: nothing of it goes on.
    await ask('a')
    const { db } = server.app
    const lease = { lease: 'of a dead one', lease_until: new Date(ms + 6_000).toISOString(), attempts: 1 }
    await db.updateTable('jobs').set(lease).execute()
    const done: string[] = []
    const one = process(async ({ key }) => void done.push(key))
    await one.settled()
    expect(done).toEqual([])
    if (engine === 'sqlite') await one.start()
    else ms += 6_000
    await one.settled()
    expect(done).toEqual(['a'])
  })

  test('while signals press the next job waits, but not for ever', async () => {
    let pressed = true
    const done: string[] = []
    const one = process(async ({ key }) => void done.push(key), { pressed: () => pressed })
    await ask('a')
    one.wake('import')
    await sleep(300)
    expect(done).toEqual([])
    pressed = false
    await expect.poll(() => done).toEqual(['a'])
    pressed = true
    await ask('b')
    one.wake('import')
    await expect.poll(() => done, { timeout: 10_000 }).toEqual(['a', 'b'])
  })

  test('what is done by the time is done once in its time, whatever the processes, and by a start only when it is due', async () => {
    const done: string[] = []
    const runs = (by: string) => ({ every_ms: 60_000, run: async () => void done.push(by) })
    const timed = (by: string) => {
      const kinds = { ...kindsOf(server.app), silence: runs(by) }
      const jobs = new Jobs(
        () => server.app,
        () => kinds,
      )
      processes.push(jobs)
      for (const kind of Object.keys(kinds) as JobKind[]) if (kind !== 'silence') jobs.held.add(kind)
      return jobs
    }
    const [one, two] = [timed('one'), timed('two')]
    await Promise.all([one.start(), two.start()])
    await Promise.all([one.settled(), two.settled()])
    expect(done).toHaveLength(1)
    for (let minute = 1; minute <= 5; minute++) {
      ms += 59_999
      await Promise.all([one.settled(), two.settled()])
      expect(done).toHaveLength(minute)
      ms += 1
      await Promise.all([one.settled(), two.settled()])
      expect(done).toHaveLength(minute + 1)
    }
    await one.stop()
    const again = timed('again')
    await again.start()
    await again.settled()
    expect(done).not.toContain('again')
    // A clock that went back does not stop it.
    ms -= 86_400_000
    await timed('back').start()
    await again.settled()
    expect(done).toHaveLength(7)
  })

  test('what comes each minute comes each minute while it fails, too', async () => {
    let tries = 0
    const silence = {
      every_ms: 60_000,
      run: async () => {
        tries++
        throw new Error('not yet')
      },
    }
    const kinds = { ...kindsOf(server.app), silence }
    const jobs = new Jobs(
      () => server.app,
      () => kinds,
    )
    processes.push(jobs)
    for (const kind of Object.keys(kinds) as JobKind[]) if (kind !== 'silence') jobs.held.add(kind)
    await jobs.start()
    for (let minute = 0; minute < 20; minute++) {
      await jobs.settled()
      ms += 60_000
    }
    expect(tries).toBe(20)
  })

  test('kinds do not wait for each other; of one kind a process does one at a time', async () => {
    const { open, opened } = gate()
    const done: string[] = []
    const one = process(async ({ key }) => {
      if (key === 'slow') await opened
      done.push(key)
    })
    await ask('slow')
    await ask('behind')
    await ask('beside', 'p:u', 'erase')
    one.wake('import')
    one.wake('erase')
    await expect.poll(() => done).toEqual(['beside'])
    open()
    await one.settled()
    expect(done).toEqual(['beside', 'slow', 'behind'])
  })
})
