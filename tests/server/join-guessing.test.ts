// Codes that are short enough to be typed are tried ten times in ten minutes by a person, a hundred and twenty by a network.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JOIN_CODE_LETTERS } from '#contract/fields.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { getInvite } from '#contract/invitation.ts'
import { joinByCode } from '#contract/join.ts'
import { refused } from '#tests/support/desk.ts'
import { send, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const guess = (i: number) =>
  `ZZZZ-ZZ${JOIN_CODE_LETTERS[Math.floor(i / JOIN_CODE_LETTERS.length)]}${JOIN_CODE_LETTERS[i % JOIN_CODE_LETTERS.length]}`

describe('guessing join codes', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ env: { LIMIT_FACTOR: '1', TRUSTED_PROXIES: '127.0.0.1' } })
  })
  afterAll(() => server.close())

  test('a person has ten tries; what cannot be a code is none', async () => {
    const who = await signUp(server)
    for (const typed of ['ABCD-EFG', 'ABCDEFGHJ', 'ILO0-1234'])
      expect((await refused(who.call(joinByCode, { code: typed }))).code).toBe(4220)
    const told: number[] = []
    for (let i = 0; i < 12; i++) told.push((await refused(who.call(joinByCode, { code: guess(i) }))).code)
    expect(told).toEqual([...Array<number>(10).fill(4040), 4290, 4290])
  })

  test('every way in counts its tries', async () => {
    const ways = ENDPOINTS.filter(({ output }) => output === joinByCode.output)
    expect(ways.length).toBeGreaterThanOrEqual(2)
    for (const way of ways) {
      const who = await signUp(server)
      const code = [guess(0), 'x'.repeat(32)].find((one) => way.input.safeParse({ code: one }).success)
      const told: number[] = []
      for (let i = 0; i < 11; i++) told.push((await refused(who.call(way, { code }))).code)
      expect([told.at(9), told.at(10)], `${way.name} has \`prepare: trying\``).toEqual([4040, 4290])
    }
  })

  test('looking without signing in is counted by network, on more than one account too', async () => {
    const from = { 'x-forwarded-for': '203.0.113.7' }
    const look = async (i: number) => (await send(server, getInvite, { code: guess(i) }, from)).status
    const seen = await Promise.all(Array.from({ length: 120 }, (_, i) => look(i)))
    expect(new Set(seen)).toEqual(new Set([404]))
    const who = await signUp(server)
    const tried = await refused(who.call(joinByCode, { code: guess(200) }, from))
    expect([tried.code, await look(201)]).toEqual([4290, 429])
    expect((await refused(who.call(joinByCode, { code: guess(202) }))).code).toBe(4040)
  })
})
