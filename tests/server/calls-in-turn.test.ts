// Calls begin a few per turn of the event loop, callers one after the other; a commit does not wait for a stream of messages to end.
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hashToken } from '#server/ids.ts'
import { CallQueue } from '#server/limits/fair-queue.ts'
import { openDesk } from '#tests/support/desk.ts'

describe('calls', () => {
  test('a few calls begin in one turn, the callers one after the other', async () => {
    const calls = new CallQueue()
    const begun: string[] = []
    const enter = (caller: string) => void calls.enter(caller).then(() => begun.push(caller))
    for (let n = 0; n < 8; n++) enter('crowd')
    for (const caller of ['a', 'b', 'a']) enter(caller)
    await Promise.resolve()
    expect(begun).toEqual(['crowd', 'crowd', 'crowd'])
    await expect.poll(() => begun.length).toBe(11)
    expect(begun.slice(3)).toEqual(['crowd', 'a', 'b', 'crowd', 'a', 'crowd', 'crowd', 'crowd'])
  })

  test('whoever comes alone never waits', async () => {
    const calls = new CallQueue()
    for (let n = 0; n < 5; n++) {
      let begun = false
      void calls.enter('a').then(() => {
        begun = true
      })
      await Promise.resolve()
      expect(begun).toBe(true)
      await turn()
      await turn()
    }
  })

  // Only on SQLite: with a database elsewhere the person's own questions take turns of the loop, in which others begin by right.
  test('made-up tokens make no callers of their own: a person passes them', async () => {
    const { server, person } = await openDesk()
    onTestFinished(() => server.close())
    const call = (token: string) =>
      server.dispatch('/api/v1/user/profile', { headers: { authorization: `Bearer ${token}` } })
    expect((await call(person.token)).status).toBe(200)
    const answered: number[] = []
    const crowd = Array.from({ length: 400 }, (_, n) =>
      call(`made.up.${n}`).then(({ status }) => answered.push(status)),
    )
    expect((await call(person.token)).status).toBe(200)
    expect(answered.length).toBeLessThan(100)
    await Promise.all(crowd)
    expect(new Set(answered)).toEqual(new Set([401]))
  })
})

describe('a commit', () => {
  // On SQLite a commit takes no turn of the loop, so that the turns counted are those it waited for more.
  test('does not wait for the end of a stream of messages that comes on a slow loop', async () => {
    const { server, strategy } = await openDesk()
    onTestFinished(() => server.close())
    const { webhook } = await strategy()
    const token_hash = hashToken(new URL(webhook.url as string).pathname.split('/').at(-1) as string)
    const body = Buffer.from('not a message')
    let sent = 0
    let answered = 0
    await new Promise<void>((over) => {
      const next = () => {
        if (answered > 0 || sent === 256) return over()
        // Planned before the intake plans its own: in every turn a message is there when it looks for more.
        setImmediate(next)
        sent += 1
        const place = {
          token_hash,
          ip: '127.0.0.1',
          content_type: '',
          content_encoding: '',
          size: body.length,
        }
        const at = { received_ms: Date.now(), started: performance.now() }
        void server.app.intake.receive({ ...place, ...at, body }).then(() => {
          answered += 1
        })
        // A loop that has other things to do in every turn.
        for (const until = performance.now() + 3; performance.now() < until; );
      }
      setImmediate(next)
    })
    expect(sent).toBeLessThan(128)
    await expect.poll(() => answered).toBe(sent)
  })
})
