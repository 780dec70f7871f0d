// Events whose record was erased since: they have nothing left to say, so the reader is told to read everything again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clearMessages } from '#server/usage/messages.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { openStream } from '#tests/support/stream.ts'

describeEngines('stream of what was erased', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  /** The cursor before three messages, their answers, and how to send one more. */
  async function threeMissed() {
    const { send, webhook } = await desk.strategy()
    const before = await openStream(desk.server, desk.person.token)
    await before.close()
    const say = async (price: number) =>
      (await send(JSON.stringify({ symbol: 'MXF1!', action: 'buy', price, timenow: desk.at() }))).answer
    return { cursor: before.cursor(), answers: [await say(1), await say(2), await say(3)], say, webhook }
  }

  test.each(['signals', 'deliveries'] as const)('a gap in the %s is a reset, then it goes on', async (of) => {
    const { cursor, answers, say, webhook } = await threeMissed()
    const id = (of === 'signals' ? answers[1]?.signal_id : answers[1]?.delivery_id) as string
    const { db } = desk.server.app
    if (of === 'signals') await db.deleteFrom(of).where('id', '=', id).execute()
    else await clearMessages(db, webhook.id, [id])
    const reader = await openStream(desk.server, desk.person.token, cursor)
    const whole = of === 'signals' ? ['signal', 'delivery'] : ['signal', 'delivery', 'signal']
    const kinds = () => reader.events.map(({ kind }) => kind)
    await reader.until(whole.length + 1)
    expect(kinds()).toEqual([...whole, 'reset'])
    expect(reader.events.at(-1)?.data).toEqual({ scope: `p:${desk.person.uid}` })
    const { signal_id } = await say(4)
    await reader.until(whole.length + 3)
    expect(kinds()).toEqual([...whole, 'reset', 'signal', 'delivery'])
    expect(reader.events.at(-2)?.data).toMatchObject({ id: signal_id, price: 4 })
    await reader.close()
  })

  test('nothing left of all that was missed is one reset', async () => {
    const { cursor, answers } = await threeMissed()
    const { db } = desk.server.app
    for (const { signal_id } of answers)
      await db
        .deleteFrom('signals')
        .where('id', '=', signal_id as string)
        .execute()
    const reader = await openStream(desk.server, desk.person.token, cursor)
    expect((await reader.until(1)).map(({ kind }) => kind)).toEqual(['reset'])
    await reader.close()
  })
})
