// Who is nobody yet is counted by network, whichever door they come by; and those who are slowed are few.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { getInvite } from '#contract/join.ts'
import { SlowLane } from '#server/limits/concurrency.ts'
import { joinCode } from '#server/limits/guesses.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { send } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { clientsFile } from '#tests/support/third-party.ts'

describeEngines('strangers', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    const env = { LIMIT_FACTOR: '1', TRUSTED_PROXIES: '127.0.0.1', OAUTH_CLIENTS: clientsFile() }
    server = await startServer({ engine, env })
  })
  afterAll(() => server.close())

  const doors: [string, number, number, (ip: string) => Promise<number>][] = [
    [
      'at invitations',
      120,
      404,
      async (ip) =>
        (await send(server, getInvite, { code: 'nobody-was-invited-by-this' }, { 'x-forwarded-for': ip }))
          .status,
    ],
    [
      'at the provider',
      600,
      200,
      async (ip) => {
        const headers = { 'x-forwarded-for': ip }
        return (await server.request('/oidc/.well-known/openid-configuration', { headers })).status
      },
    ],
  ]
  test.each(doors)('%s: a /64 is one, the next one another', async (_where, room, usual, ask) => {
    const asked: number[] = []
    for (let n = 0; n < room; n += 30)
      asked.push(
        ...(await Promise.all(
          Array.from({ length: 30 }, (_none, i) => ask(`2001:db8:7:1::${(n + i).toString(16)}`)),
        )),
      )
    expect(new Set(asked)).toEqual(new Set([usual]))
    expect(await ask('2001:db8:7:1:ffff::1')).toBe(429)
    expect(await ask('2001:db8:7:2::1')).toBe(usual)
  })

  test('codes that are guessed at the same moment are as many as one after the other', async () => {
    const { guesses } = server.app
    let looked = 0
    const guess = (found: boolean) =>
      guesses.guess(joinCode('one', '203.0.113.5'), async () => {
        looked++
        await new Promise((next) => setTimeout(next, 20))
        if (!found) throw new ApiError(4040)
      })
    // Right ones cost nothing, and are no more at a time than tries are left.
    await Promise.all(Array.from({ length: 10 }, () => guess(true)))
    await Promise.all(Array.from({ length: 10 }, () => guess(true)))
    looked = 0
    const told = await Promise.allSettled(Array.from({ length: 100 }, () => guess(false)))
    const codes = told.map((one) => (one.status === 'rejected' ? (one.reason as ApiError).code : 0))
    expect([looked, codes.filter((code) => code === 4290).length]).toEqual([10, 90])
  })
})

describe('slowed', () => {
  afterEach(() => vi.useRealTimers())

  test('two seconds each, fifty at a time, five of one sender; who is one too many is told at once', async () => {
    vi.useFakeTimers()
    const lane = new SlowLane()
    const done: string[] = []
    const slow = (who: string) => lane.wait(who).then((waited) => void done.push(`${who} ${waited}`))
    const settle = () => vi.advanceTimersByTimeAsync(0)
    for (let n = 0; n < 6; n++) void slow('one')
    await settle()
    expect(done).toEqual(['one false'])
    for (let n = 0; n < 46; n++) void slow(`other ${n}`)
    await settle()
    expect(done).toEqual(['one false', 'other 45 false'])
    await vi.advanceTimersByTimeAsync(1_999)
    expect(done).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(done.filter((said) => said.endsWith('true'))).toHaveLength(50)
    // And their places are free again.
    void slow('one')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(done.at(-1)).toBe('one true')
  })

  test('the addresses of a /64 share its five places; another /64 has its own', async () => {
    vi.useFakeTimers()
    const lane = new SlowLane()
    const told: string[] = []
    const slow = (ip: string) =>
      void lane.wait(ip).then((waited) => void told.push(`${ip} ${waited ? 'waited' : 'refused'}`))
    for (let n = 1; n <= 5; n++) slow(`2001:db8:7:1::${n}`)
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual([])
    slow('2001:db8:7:1:ffff::1')
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual(['2001:db8:7:1:ffff::1 refused'])
    for (const other of ['2001:db8:7:2::1', '2001:db8:8:1::1']) slow(other)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(told.slice(-2)).toEqual(['2001:db8:7:2::1 waited', '2001:db8:8:1::1 waited'])
    // The places are free again, for any address of it.
    slow('2001:db8:7:1:ffff::1')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(told.at(-1)).toBe('2001:db8:7:1:ffff::1 waited')
  })

  test('who holds a /48 has ten of the places, of a /56 seven, whatever /64s they come from', async () => {
    vi.useFakeTimers()
    const lane = new SlowLane()
    const slow = (ip: string) => lane.wait(ip)
    const told: boolean[] = []
    for (let n = 0; n < 12; n++)
      void slow(`2001:db8:7:${n.toString(16)}::1`).then((waited) => told.push(waited))
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual(Array.from({ length: 5 }, () => false))
    for (let n = 0; n < 20; n++)
      void slow(`2001:db8:7:1${n.toString(16).padStart(2, '0')}::1`).then((waited) => told.push(waited))
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toHaveLength(5 + 17)
    const other = slow('2001:db8:8::1')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await other).toBe(true)
  })
})
