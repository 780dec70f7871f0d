// Random histories of a device against a model: whatever happens, each call arrives once, in order, in the name it was made in, or is still there to be seen.
import 'fake-indexeddb/auto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fc } from '#tests/support/property.ts'
import { sized } from '#tests/support/tier.ts'
import { choose, note, type ServerSide, startServerSide } from '../support/outbox-server.ts'
import { createWorld, type Trouble, type World } from '../support/outbox-world.ts'

const RUNS = Number(process.env['OUTBOX_RUNS'] ?? sized(100, 1_000))
let server: ServerSide
beforeAll(async () => {
  server = await startServerSide()
})
afterAll(() => server.close())

interface Made {
  uid: string
  org_id: string | null
  lane: string
  text: string
  key: string
  /** Nobody can have sent it when it was taken back. */
  taken_back: boolean
}
interface Model {
  notes: Made[]
  /** By person, organization and lane: the fields as last chosen. */
  settings: Map<string, Record<string, unknown>>
  count: number
}
type Step = (world: World, model: Model) => Promise<void> | void

const acting = ({ tabs, session }: World, nth: number) => {
  const tab = tabs[nth % Math.max(1, tabs.length)]
  return tab && session.person ? { tab, uid: session.person.uid, org_id: session.org_id } : null
}
const steps: fc.Arbitrary<{ name: string; run: Step; rests: boolean }> = fc
  .record({
    rests: fc.boolean(),
    step: fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .tuple(fc.nat(1), fc.nat(2))
          .map(([nth, lane]) => ({ name: `note ${lane} by ${nth}`, run: writeNote(nth, `L${lane}`) })),
      },
      {
        weight: 4,
        arbitrary: fc.tuple(fc.nat(1), fc.nat(1), fc.constantFrom('a', 'b')).map(([nth, lane, field]) => ({
          name: `set ${field} of ${lane} by ${nth}`,
          run: writeSetting(nth, `L${lane}`, field),
        })),
      },
      {
        weight: 2,
        arbitrary: fc
          .boolean()
          .map((on) => ({ name: on ? 'online' : 'offline', run: ((world) => world.network(on)) as Step })),
      },
      {
        weight: 4,
        arbitrary: fc
          .constantFrom<Trouble>('drop', 'lose', 'portal', 'busy', 'die-before', 'die-after')
          .map((trouble) => ({ name: trouble, run: ((world) => void world.troubles.push(trouble)) as Step })),
      },
      {
        weight: 1,
        arbitrary: fc.constant({ name: 'the session ends', run: ((world) => world.expire()) as Step }),
      },
      {
        weight: 2,
        arbitrary: fc.nat(1).map((who) => ({
          name: `person ${who} signs in`,
          run: ((world) => world.sign_in(server.people[who as 0 | 1])) as Step,
        })),
      },
      {
        weight: 1,
        arbitrary: fc
          .boolean()
          .map((in_org) => ({ name: in_org ? 'as organization' : 'personal', run: switchTo(in_org) })),
      },
      { weight: 2, arbitrary: fc.constant({ name: 'another tab', run: openTab }) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.nat(1), fc.nat(5))
          .map(([nth, which]) => ({ name: `take back ${which}`, run: takeBack(nth, which) })),
      },
      { weight: 1, arbitrary: fc.constant({ name: 'looks at it', run: ((world) => world.look()) as Step }) },
      {
        weight: 1,
        arbitrary: fc.constant({ name: '40 seconds', run: ((world) => world.clock.advance(40_000)) as Step }),
      },
    ),
  })
  .map(({ step, rests }) => {
    const name = rests ? `${step.name}, rest` : step.name
    return { ...step, name, rests, [fc.toStringMethod]: () => name }
  })

function writeNote(nth: number, lane: string): Step {
  return async (world, model) => {
    const who = acting(world, nth)
    if (!who) return
    const text = `n${++model.count}`
    let refused = false
    who.tab.outbox.send(note, { id: lane, text }, { label: text }).catch(() => {
      refused = true
    })
    // promised is what is on the device (or has arrived); a tab that died before that has promised nothing
    for (let i = 0; i < 500 && !refused && !who.tab.dead; i++) {
      const row = (await world.rows(who.uid)).find(({ label }) => label === text)
      if (row || server.done().some(({ body }) => body['text'] === text)) {
        const { uid, org_id } = who
        model.notes.push({ uid, org_id, lane, text, key: row?.key ?? '', taken_back: false })
        return
      }
      await new Promise((next) => setTimeout(next, 0))
    }
  }
}
function writeSetting(nth: number, lane: string, field: string): Step {
  return async (world, model) => {
    const who = acting(world, nth)
    if (!who) return
    const value = ++model.count
    const place = `${who.uid} ${who.org_id} ${lane}`
    model.settings.set(place, { ...model.settings.get(place), [field]: value })
    let told = false
    const settled = () => {
      told = true
    }
    who.tab.outbox
      .send(choose, { id: lane, [field]: value }, { label: `${field}=${value}` })
      .then(settled, settled)
    const has = ({ body }: { body: Record<string, unknown> }) => body[field] === value
    // chosen is what is on the device (or has arrived)
    for (let i = 0; i < 500 && !told && !who.tab.dead; i++) {
      if ((await world.rows(who.uid)).some(has) || server.done().some(has)) return
      await new Promise((next) => setTimeout(next, 0))
    }
  }
}
function switchTo(in_org: boolean): Step {
  return ({ session }) => {
    if (session.person === server.people[0]) session.org_id = in_org ? server.org_id : null
  }
}
function openTab(world: World): void {
  if (world.session.person && world.tabs.length < 2) world.open()
}
function takeBack(nth: number, which: number): Step {
  return async (world, model) => {
    const who = acting(world, nth)
    if (!who) return
    const mine = model.notes.filter(({ uid, taken_back }) => uid === who.uid && !taken_back)
    const one = mine[which % Math.max(1, mine.length)]
    if (!one) return
    const row = (await world.rows(who.uid)).find(({ key }) => key === one.key)
    if (!row) return
    let told: boolean | null = null
    void who.tab.outbox.cancel(one.key).then((gone) => {
      told = gone
    })
    while (told === null && !who.tab.dead) await new Promise((next) => setTimeout(next, 0))
    if (told === false) return
    one.taken_back = told === true
    // it had been tried, or the tab died over it: the server may have it all the same, but never twice
    if (row.attempts > 0 || told === null) model.notes = model.notes.filter((other) => other !== one)
  }
}

async function comeToRest(world: World) {
  world.troubles.length = 0
  for (const person of server.people)
    for (let round = 0; round < 2; round++) {
      world.sign_in(person)
      world.network(true)
      await world.rest()
      world.clock.advance(40_000)
      world.look()
      await world.rest()
    }
}

test(`${RUNS} random histories: once, in order, in the right name, nothing lost`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 14 }), async (history) => {
      const world = createWorld(server)
      const model: Model = { notes: [], settings: new Map(), count: 0 }
      try {
        world.sign_in(server.people[0])
        await world.rest()
        for (const { run, rests } of history) {
          await run(world, model)
          if (rests) await world.rest()
        }
        await comeToRest(world)
        check(model)
        for (const { uid } of server.people) expect(await world.rows(uid)).toEqual([])
        expect(world.reports).toEqual([])
      } finally {
        world.end()
      }
    }),
    { numRuns: RUNS, ...(process.env['OUTBOX_SEED'] && { seed: Number(process.env['OUTBOX_SEED']) }) },
  )
})

function check(model: Model): void {
  const done = server.done()
  const notes = done.filter(({ what }) => what === 'note')
  const texts = notes.map(({ body }) => body['text'])
  expect(texts.length, 'twice').toBe(new Set(texts).size)
  for (const made of model.notes) {
    const found = notes.filter(({ body }) => body['text'] === made.text)
    expect(found.length, `${made.text} arrived so often`).toBe(made.taken_back ? 0 : 1)
    for (const { uid, org_id, lane } of found)
      expect({ uid, org_id, lane }).toEqual({ uid: made.uid, org_id: made.org_id, lane: made.lane })
  }
  for (const made of model.notes) {
    const lane = (one: { uid: string; org_id: string | null; lane: string }) =>
      one.uid === made.uid && one.org_id === made.org_id && one.lane === made.lane
    const wanted = model.notes.filter((one) => !one.taken_back && lane(one)).map(({ text }) => text)
    expect(notes.filter(lane).map(({ body }) => body['text'])).toEqual(expect.arrayContaining(wanted))
    expect(
      notes
        .filter((one) => lane(one) && wanted.includes(String(one.body['text'])))
        .map(({ body }) => body['text']),
    ).toEqual(wanted)
  }
  for (const [place, wanted] of model.settings) {
    const now: Record<string, unknown> = {}
    for (const { uid, org_id, lane, what, body } of done)
      if (what === 'setting' && `${uid} ${org_id} ${lane}` === place) Object.assign(now, body)
    expect(now, place).toEqual(wanted)
  }
}
