// Codes that are short enough to be typed are tried ten times in ten minutes by a person, a hundred and twenty by a network.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JOIN_CODE_LETTERS } from '#contract/fields.ts'
import { acceptLink, createLink, getInvite, joinByCode, rotateJoinCode } from '#contract/join.ts'
import { createOrganization, updateOrganization } from '#contract/organization.ts'
import { refused } from '../support/desk.ts'
import { send, signUp } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'

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

  test('right codes are no tries: neither of a person nor of a network', async () => {
    const admin = await signUp(server)
    const made = await admin.call(createOrganization, { name: '社團' })
    const inside = { 'lb-org-id': made.id }
    await admin.call(updateOrganization, { id: made.id, join_code_enabled: true }, inside)
    const { join_code } = await admin.call(rotateJoinCode, { id: made.id }, inside)
    const who = await signUp(server)
    for (let i = 0; i < 9; i++) await refused(who.call(joinByCode, { code: guess(i) }))
    expect((await who.call(joinByCode, { code: join_code })).outcome).toBe('join_request')
    expect((await refused(who.call(joinByCode, { code: guess(20) }))).code).toBe(4040)
    expect((await refused(who.call(joinByCode, { code: guess(21) }))).code).toBe(4290)
  })

  test('a link that is right is answered from an address that has used its misses up', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9' }
    const admin = await signUp(server)
    const made = await admin.call(createOrganization, { name: '連結社' })
    const link = await admin.call(createLink, { id: made.id }, { 'lb-org-id': made.id })
    const look = async (code: string) => (await send(server, getInvite, { code }, from)).status
    const wrong = await Promise.all(Array.from({ length: 121 }, (_, i) => look(`${'x'.repeat(30)}${i}`)))
    expect([wrong.filter((status) => status === 404).length, await look('y'.repeat(32))]).toEqual([120, 429])
    expect(await look(link.code)).toBe(200)
    const who = await signUp(server)
    expect((await who.call(acceptLink, { code: link.code }, from)).outcome).toMatch(/member|request/)
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
