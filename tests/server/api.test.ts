// What every answer under /api has in common, whichever call it was.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

type Told = { error: { code: number } }

describe('api', () => {
  let server: TestServer
  let person: Person
  beforeAll(async () => {
    server = await startServer()
    person = await signUp(server, '任何人', { verify: false })
  })
  afterAll(() => server.close())

  test('unknown paths and wrong methods under /api answer the envelope', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/v1',
      '/api/v1/nothing',
      '/api/v2/user/profile',
      '/api/v1/user/%ff',
    ]) {
      const answer = await server.request(path)
      expect([path, answer.status, ((await answer.json()) as Told).error.code]).toEqual([path, 404, 4040])
    }
    const wrong = await server.request('/api/v1/user/profile', { method: 'DELETE' })
    expect([wrong.status, wrong.headers.get('allow')?.split(', ').sort()]).toEqual([405, ['GET', 'PUT']])
    expect(((await wrong.json()) as Told).error.code).toBe(4050)
  })

  test('answers are never kept by anybody, and large ones travel compressed', async () => {
    const answer = await server.request('/api/v1/products', {
      headers: { authorization: `Bearer ${person.token}`, 'accept-encoding': 'gzip' },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect(((await answer.json()) as { result: unknown[] }).result.length).toBeGreaterThan(3)
  })
})
