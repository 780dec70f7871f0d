// What a member is told of what was before its first day, in the inbox and by a robot: no more than it may read anywhere.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listNotifications } from '#contract/notification.ts'
import { type SignalRecord, signalFeed } from '#contract/signal.ts'
import { type Earlier, openEarlier, START } from '#tests/support/earlier.ts'
import { describeEngines } from '#tests/support/engines.ts'
import type { Person } from '#tests/support/people.ts'

describeEngines('attack: what is told of before', (engine) => {
  let past: Earlier
  beforeAll(async () => {
    past = await openEarlier(engine)
    await past.share(false)
    // Entered on the day before the member's first, closed now, so that it alarms.
    await past.fire('kept', { action: 'buy', quantity: 1_000, price: 487 }, 19, '2317')
    const time = new Date(START).toISOString()
    await past.fire('sold', { action: 'sell', quantity: 1_000, price: 521, time }, 20, '2317')
    await past.fire('own', { action: 'buy', quantity: 1_000, price: 530, time }, 20, '2454')
    await past.fire('earned', { action: 'sell', quantity: 1_000, price: 561, time }, 20, '2454')
  })
  afterAll(() => past.close())

  /** Title and body in the inbox of what is about this record, and the record that went to the robot. */
  const told = async (person: Person, name: string) => {
    const sent = (await past.sent(person)).map((body) => (JSON.parse(body) as { data: SignalRecord }).data)
    const { items } = await person.call(listNotifications, { limit: 100 })
    const { title, body } = items.find(({ signal_id }) => signal_id === past.ids[name]) ?? {}
    return { title, body, record: sent.find(({ id }) => id === past.ids[name]) }
  }

  test.each([
    ['void', '作廢一筆訊號', /zqreasonvoided/],
    ['correction', '更正一筆訊號', /zqnotecorrected/],
  ])('a %s of what was before says that there was one, and nothing else', async (name, what, word) => {
    const whole = await told(past.admin, name)
    expect(whole.title).toContain(what)
    expect(whole.body).toMatch(word)
    expect(JSON.stringify(whole.record)).toMatch(word)
    const { title, body, record } = await told(past.member, name)
    expect([title, body]).toEqual([`先前的事 · ${what}`, ''])
    const { items } = await past.member.call(signalFeed, { limit: 100 }, past.inside())
    expect(record).toEqual(items.find(({ id }) => id === past.ids[name]))
  })

  test('what a close earned is not said where its entry is older and figures are not shared; where it is its own, it is', async () => {
    for (const name of ['sold', 'earned']) {
      const whole = await told(past.admin, name)
      expect(whole.body).toContain('本筆損益')
      expect(whole.record?.derived.realised_pnl).toEqual(expect.any(Number))
    }
    const older = await told(past.member, 'sold')
    expect(older.title).toContain('先前的事')
    expect(older.body).not.toContain('損益')
    expect(older.record?.derived).toMatchObject({ effect: 'close', realised_pnl: null })
    const own = await told(past.member, 'earned')
    expect(own.body).toContain('本筆損益')
    expect(own.record?.derived.realised_pnl).toEqual(expect.any(Number))
  })
})
