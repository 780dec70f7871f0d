// Where one thing goes, and when: the settings laid over each other.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bellFor,
  CHANNELS,
  type ChannelId,
  NOTIFICATION_KINDS,
  NOTIFY_ACTIONS,
  RINGINGS,
  ringingOf,
} from '#contract/channels.ts'
import { bellUntouched } from '#server/access/strategies.ts'
import { type Destination, isListed, type Matter, planDeliveries, stillGoes } from '#server/notify/decide.ts'
import { movesOf } from '#server/notify/news.ts'
import { defaultWishes, type Wishes } from '#server/notify/settings.ts'
import { instantOf } from '#trading/calendar.ts'

const bell = bellUntouched({ uid: 'u', edits: true }, { id: 's', created_by: 'u' })
const entry: Matter = { kind: 'signal', moves: 'opening', strategy_id: 's' }
const exit: Matter = { ...entry, moves: 'closing' }
const push: Destination = { channel: 'push', rests: true, gathers: true, strategies: null }
const telegram: Destination = { ...push, channel: 'telegram' }
const mail: Destination = { ...push, channel: 'email' }
const robot: Destination = { channel: 'webhook', rests: false, gathers: false, strategies: null }
const noon = instantOf('2026-11-23', '12:00')
const night = instantOf('2026-11-23', '23:00')
const morning = instantOf('2026-11-24', '07:30')

/** All at once, so that each test says what it is about; the order that nobody chose has its own. */
const wish = (over: Partial<Wishes> = {}): Wishes => ({
  ...defaultWishes(),
  fallback: { after_s: 60, order: [] },
  ...over,
})
const quiet = (over: Partial<Wishes['quiet_hours']> = {}) =>
  wish({ quiet_hours: { ...defaultWishes().quiet_hours, enabled: true, ...over } })
const told = (
  wishes: Wishes,
  matter: Matter,
  of: typeof bell | null = bell,
  destinations: Destination[] = [push, telegram, mail, robot],
  at = noon,
) =>
  planDeliveries(wishes, matter, of, destinations, at).map(({ destination, at, rank }) => [
    destination.channel,
    at,
    rank,
  ])

describe('where', () => {
  test('everywhere at once where no order is wanted, but by mail only what was asked for', () => {
    expect(told(wish(), entry)).toEqual([
      ['push', noon, 0],
      ['telegram', noon, 0],
      ['webhook', noon, 0],
    ])
  })
  test('a channel, a kind of a channel, a bell, the channels of a bell switch it off', () => {
    const off = wish({ channels: { ...defaultWishes().channels, push: false } })
    expect(told(off, entry).map(([channel]) => channel)).toEqual(['telegram', 'webhook'])
    const kinds = structuredClone(defaultWishes().kinds)
    kinds.signal.telegram = false
    expect(told(wish({ kinds }), entry).map(([channel]) => channel)).toEqual(['push', 'webhook'])
    expect(told(wish(), entry, { ...bell, enabled: false })).toEqual([])
    expect(isListed(wish(), entry, { ...bell, enabled: false })).toBe(false)
    expect(told(wish(), entry, { ...bell, channels: ['telegram'] })).toEqual([['telegram', noon, 0]])
  })
  test('only entries, only exits; a reversal is both, a void always told', () => {
    const exits = { ...bell, actions: 'closing' as const }
    const entries = { ...bell, actions: 'opening' as const }
    expect(told(wish(), entry, exits)).toEqual([])
    expect(told(wish(), exit, entries)).toEqual([])
    expect(told(wish(), exit, exits)).toHaveLength(3)
    expect(told(wish(), { ...entry, moves: 'both' }, exits)).toHaveLength(3)
    expect(told(wish(), { ...entry, moves: null }, entries)).toHaveLength(3)
  })
  test('a receiver for some strategies gets those only', () => {
    expect(told(wish(), entry, bell, [{ ...robot, strategies: ['other'] }])).toEqual([])
    expect(told(wish(), entry, bell, [{ ...robot, strategies: ['s'] }])).toHaveLength(1)
    const none: Matter = { kind: 'organization', moves: null, strategy_id: null }
    expect(told(wish(), none, null, [{ ...push, strategies: ['s'] }])).toEqual([])
  })
})

describe('when', () => {
  test('people rest, robots do not', () => {
    expect(told(quiet(), entry, bell, [push, robot], night)).toEqual([
      ['push', morning, 0],
      ['webhook', night, 0],
    ])
  })
  test('exits pass where they may, what is important always', () => {
    expect(told(quiet(), exit, bell, [push], night)).toEqual([['push', night, 0]])
    expect(told(quiet({ exits_pass: false }), exit, bell, [push], night)).toEqual([['push', morning, 0]])
    expect(told(quiet(), entry, { ...bell, important: true }, [push], night)).toEqual([['push', night, 0]])
  })
  test('what is gathered waits for more of it', () => {
    const gathered = new Date(Date.parse(noon) + 30_000).toISOString()
    expect(told(wish({ merge_seconds: 30 }), entry, bell, [push, robot])).toEqual([
      ['push', gathered, 0],
      ['webhook', noon, 0],
    ])
  })
  test('one after the other in the order that was asked for, of those that are bound; the others at once', () => {
    const wishes = wish({ fallback: { after_s: 60, order: ['telegram', 'line', 'push'] } })
    const second = new Date(Date.parse(noon) + 60_000).toISOString()
    expect(told(wishes, entry, bell, [push, telegram, robot])).toEqual([
      ['push', second, 2],
      ['telegram', noon, 1],
      ['webhook', noon, 0],
    ])
    // Held through the night, the second still waits for the first.
    const night_wishes = { ...wishes, quiet_hours: quiet().quiet_hours }
    const after = new Date(Date.parse(morning) + 60_000).toISOString()
    expect(told(night_wishes, entry, bell, [push, telegram], night)).toEqual([
      ['push', after, 2],
      ['telegram', morning, 1],
    ])
  })
})

describe('the order that nobody chose', () => {
  const wishes = defaultWishes()
  test('of each kind, which channels are on', () => {
    const all = CHANNELS.filter((channel) => channel !== 'email')
    const on = (kind: (typeof NOTIFICATION_KINDS)[number]) =>
      CHANNELS.filter((channel) => wishes.kinds[kind][channel])
    const people = all.filter((channel) => channel !== 'webhook')
    expect(Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, on(kind)]))).toEqual({
      signal: all,
      announcement: people,
      organization: CHANNELS.filter((channel) => channel !== 'webhook' && channel !== 'discord'),
      alarm: people,
    })
  })
  test('one after the other, a minute each; a robot at once, mail of signals not at all', () => {
    const second = new Date(Date.parse(noon) + 60_000).toISOString()
    const line: Destination = { ...push, channel: 'line' }
    const third = new Date(Date.parse(noon) + 120_000).toISOString()
    expect(told(wishes, entry, bell, [line, robot, telegram, mail, push])).toEqual([
      ['line', third, 3],
      ['webhook', noon, 0],
      ['telegram', second, 2],
      ['push', noon, 1],
    ])
  })
  test('who has one channel is told by it at once, whichever it is, and on all its devices', () => {
    for (const destination of [push, telegram, { ...push, channel: 'discord' as const }])
      expect(told(wishes, entry, bell, [destination, destination]).map(([, at]) => at)).toEqual([noon, noon])
    expect(told(wishes, { ...entry, kind: 'organization', moves: null }, null, [mail])).toEqual([
      ['email', noon, 1],
    ])
  })
  test('of several channels that somebody has, at most one rings within its time, and whoever has one is told at once', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...CHANNELS.filter((id) => id !== 'in_app')), { minLength: 1 })
    fc.assert(
      fc.property(ids, fc.integer({ min: 10, max: 3_600 }), (channels, after_s) => {
        const own = { ...wishes, fallback: { ...wishes.fallback, after_s } }
        const kinds = structuredClone(wishes.kinds)
        kinds.signal.email = true
        const destinations = channels.map(
          (channel): Destination => ({ ...push, channel, rests: channel !== 'webhook' }),
        )
        const all = told({ ...own, kinds }, entry, bell, destinations)
        const people = all
          .filter(([channel]) => channel !== 'webhook')
          .map(([, at]) => Date.parse(String(at)))
        people.sort((a, b) => a - b)
        expect(all).toHaveLength(channels.length)
        if (people.length > 0) expect(people[0]).toBe(Date.parse(noon))
        for (const [i, at] of people.entries())
          if (i > 0) expect(at - (people[i - 1] as number)).toBe(after_s * 1_000)
      }),
    )
  })
  test('every channel that reaches a person has a place in it', () => {
    expect(CHANNELS.filter((id) => !wishes.fallback.order.includes(id))).toEqual(['in_app', 'webhook'])
  })
})

describe('asked again when it is sent', () => {
  const still = (
    wishes: Wishes,
    destination: Destination,
    now: string,
    due_at = now,
    of: typeof bell | null = bell,
  ) => stillGoes(wishes, entry, of, destination, { now, due_at })

  test('what was switched off is unwanted, what fell into quiet hours goes later, the rest goes', () => {
    expect(still(wish(), push, noon)).toBe('yes')
    expect(still(wish({ channels: { ...defaultWishes().channels, push: false } }), push, noon)).toBe(
      'unwanted',
    )
    expect(still(wish(), push, noon, noon, { ...bell, enabled: false })).toBe('unwanted')
    expect(still(wish(), { ...robot, strategies: ['other'] }, noon)).toBe('unwanted')
    expect(still(quiet(), push, night, noon)).toEqual({ later: morning })
    expect(still(quiet(), robot, night, noon)).toBe('yes')
    expect(still(quiet(), push, night, noon, { ...bell, important: true })).toBe('yes')
  })
  test('quiet hours that never end let go once a day what waited for it', () => {
    const always = quiet({ from: '09:00', to: '09:00' })
    const nine = instantOf('2026-11-24', '09:00')
    expect(told(always, entry, bell, [push])).toEqual([['push', nine, 0]])
    expect(still(always, push, nine, nine)).toBe('yes')
    expect(still(always, push, noon, noon)).toEqual({ later: nine })
  })
})

describe('響, 安靜收下, 關: one choice over what is stored', () => {
  const bells = fc.record({
    strategy_id: fc.constant('s'),
    enabled: fc.boolean(),
    channels: fc.oneof(
      fc.constant(null),
      fc.constant(bellFor('quiet').channels as ChannelId[]),
      fc.subarray([...CHANNELS]),
    ),
    actions: fc.constantFrom(...NOTIFY_ACTIONS),
    important: fc.boolean(),
  })
  const byChannel = fc.record(
    Object.fromEntries(CHANNELS.map((channel) => [channel, fc.boolean()])) as Record<
      ChannelId,
      fc.Arbitrary<boolean>
    >,
  )
  const wishes: fc.Arbitrary<Wishes> = fc.record({
    channels: byChannel,
    kinds: fc.record(Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, byChannel]))),
    privacy: fc.constant(defaultWishes().privacy),
    fallback: fc.record({ after_s: fc.integer({ min: 10, max: 600 }), order: fc.subarray([...CHANNELS]) }),
    quiet_hours: fc.record({
      enabled: fc.boolean(),
      from: fc.constantFrom('22:30', '12:00'),
      to: fc.constantFrom('07:30', '13:00'),
      days: fc.subarray([1, 2, 3, 4, 5, 6, 7]),
      exits_pass: fc.boolean(),
    }),
    merge_seconds: fc.constantFrom(0, 10, 30, 60),
  }) as fc.Arbitrary<Wishes>
  const matters: fc.Arbitrary<Matter> = fc.record({
    kind: fc.constantFrom(...NOTIFICATION_KINDS),
    moves: fc.constantFrom('opening', 'closing', 'both', null),
    partly: fc.boolean(),
    strategy_id: fc.constant('s'),
  })
  const everywhere: Destination[] = CHANNELS.filter((channel) => channel !== 'in_app').map((channel) => ({
    ...{ channel, rests: channel !== 'webhook', gathers: channel !== 'webhook', strategies: null },
  }))
  const instants = fc.constantFrom(noon, night, morning)

  test('what the choice says of any stored setting is what holds: stored once more by it, every decision is the same', () => {
    fc.assert(
      fc.property(wishes, matters, bells, instants, (given, matter, of, at) => {
        const stands = ringingOf(of)
        if (stands === 'own') return
        const again = { ...of, ...bellFor(stands) }
        expect(ringingOf(again)).toBe(stands)
        expect(planDeliveries(given, matter, again, everywhere, at)).toEqual(
          planDeliveries(given, matter, of, everywhere, at),
        )
        expect(isListed(given, matter, again)).toBe(isListed(given, matter, of))
        for (const destination of everywhere)
          expect(stillGoes(given, matter, again, destination, { now: at, due_at: noon })).toEqual(
            stillGoes(given, matter, of, destination, { now: at, due_at: noon }),
          )
      }),
      { numRuns: 500 },
    )
  })

  test('安靜收下 sounds nowhere, keeps inbox and program as they were; 關 tells nothing; 響 goes wherever one is reached', () => {
    fc.assert(
      fc.property(wishes, matters, bells, instants, (given, matter, of, at) => {
        const to = (choice: (typeof RINGINGS)[number]) =>
          planDeliveries(given, matter, { ...of, ...bellFor(choice) }, everywhere, at).map(
            ({ destination }) => destination.channel,
          )
        const listed = (choice: (typeof RINGINGS)[number]) =>
          isListed(given, matter, { ...of, ...bellFor(choice) })
        expect(to('off')).toEqual([])
        expect(listed('off')).toBe(false)
        expect(to('quiet')).toEqual(to('ring').filter((channel) => channel === 'webhook'))
        expect(listed('quiet')).toBe(listed('ring'))
      }),
      { numRuns: 500 },
    )
  })

  test('what no choice says is 自訂 and stays; turned off and on again a bell is what it was', () => {
    fc.assert(
      fc.property(bells, (of) => {
        expect([...RINGINGS, 'own']).toContain(ringingOf(of))
        const off = { ...of, ...bellFor('off') }
        expect(ringingOf(off)).toBe('off')
        expect({ ...off, enabled: true }).toEqual({ ...of, enabled: true })
      }),
    )
    expect(ringingOf({ enabled: true, channels: ['telegram'] })).toBe('own')
    expect(ringingOf({ enabled: true, channels: [] })).toBe('own')
    expect(ringingOf({ enabled: true, channels: ['webhook', 'in_app'] })).toBe('quiet')
    expect(ringingOf({ enabled: true, channels: [...CHANNELS] })).toBe('ring')
  })

  test('an entry opens, a part of it adds; a void does neither', () => {
    const of = (effect: 'open' | 'add' | 'reduce' | 'close' | 'reverse' | 'none') =>
      movesOf({ derived: { effect } } as Parameters<typeof movesOf>[0])
    expect([of('open'), of('add'), of('reduce'), of('close'), of('reverse'), of('none')]).toEqual([
      { moves: 'opening', partly: false },
      { moves: 'opening', partly: true },
      { moves: 'closing', partly: true },
      { moves: 'closing', partly: false },
      { moves: 'both' },
      { moves: null },
    ])
  })

  test('只要進出場: an entry, an exit, a reversal and a void are told, what only adds or reduces is not', () => {
    const turns = { ...bell, actions: 'turns' as const }
    expect(told(wish(), entry, turns)).toHaveLength(3)
    expect(told(wish(), exit, turns)).toHaveLength(3)
    expect(told(wish(), { ...entry, moves: 'both' }, turns)).toHaveLength(3)
    expect(told(wish(), { ...entry, moves: null }, turns)).toHaveLength(3)
    expect(told(wish(), { ...entry, partly: true }, turns)).toEqual([])
    expect(told(wish(), { ...exit, partly: true }, turns)).toEqual([])
    expect(told(wish(), { ...exit, partly: true }, { ...bell, actions: 'closing' })).toHaveLength(3)
  })
})
