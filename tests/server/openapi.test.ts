// The document of the API: complete, well-formed, and what it says is what the server does.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS } from '#contract/index.ts'
import { createApp } from '#server/app.ts'
import { type JsonSchema, type OpenApi, type Operation, openApi } from '#server/http/documents.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

describe('openapi', () => {
  let server: TestServer
  let document: OpenApi
  beforeAll(async () => {
    server = await startServer()
    const answer = await server.request('/api/openapi.json')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ])
    document = (await answer.json()) as OpenApi
  })
  afterAll(() => server.close())

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method,
        operation: operation as Operation,
      })),
    )
  /** Every schema object inside a value. */
  function* schemas(value: unknown): Generator<JsonSchema> {
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) yield value as JsonSchema
    for (const inner of Object.values(value)) yield* schemas(inner)
  }

  // spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('names every endpoint once, with method, path and who', () => {
    const told = new Map(operations().map((call) => [call.operation.operationId, call]))
    expect(told.size).toBe(operations().length)
    for (const endpoint of ENDPOINTS) {
      const call = told.get(endpoint.name)
      expect(call, endpoint.name).toMatchObject({
        method: endpoint.method.toLowerCase(),
        path: endpoint.path.replace(/:([a-z_]+)/g, '{$1}'),
        operation: {
          'x-who': endpoint.who,
          summary: endpoint.about,
          security: endpoint.who === 'public' ? [] : [{ token: [] }],
        },
      })
    }
    expect([...told.keys()].filter((name) => !ENDPOINTS.some((endpoint) => endpoint.name === name))).toEqual([
      'hook.receive',
    ])
  })

  test('every parameter of a path is declared, GETs have no body, references lead somewhere', () => {
    expect(document.openapi).toBe('3.1.0')
    const tags = new Set(document.tags.map((tag) => tag.name))
    for (const { path, method, operation } of operations()) {
      const named = [...path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1])
      const declared = operation.parameters.filter((parameter) => parameter['in'] === 'path')
      expect(declared.map((parameter) => parameter['name'])).toEqual(named)
      expect(declared.every((parameter) => parameter['required'] === true)).toBe(true)
      const unnamed = operation.tags.filter((tag) => !tags.has(tag))
      expect(unnamed, `${operation.operationId}: name its noun in NOUNS of server/http/documents.ts`).toEqual(
        [],
      )
      if (method === 'get') expect(operation.requestBody).toBeUndefined()
      expect(Object.keys(operation.responses).length).toBeGreaterThan(1)
      const body = JSON.stringify(operation.requestBody ?? {})
      for (const name of named) expect(body).not.toMatch(new RegExp(`"required":\\[[^\\]]*"${name}"`))
    }
    const known = new Set(
      Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`),
    )
    const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
    for (const schema of schemas([document.paths, document.components.schemas])) {
      if (typeof schema['$ref'] === 'string') expect(known).toContain(schema['$ref'])
      if (typeof schema['type'] === 'string' && !('in' in schema) && !('scheme' in schema))
        expect(types).toContain(schema['type'])
      expect(schema).not.toHaveProperty('$defs')
    }
  })

  test('shapes that travel often are written once', () => {
    const text = JSON.stringify(document.paths)
    for (const name of ['Strategy', 'Webhook', 'Delivery', 'SignalRecord', 'Profile', 'Session', 'Product'])
      expect(text).toContain(`"#/components/schemas/${name}"`)
  })

  // spec §1: Server behaviour is not shown.
  test('the server mounts every endpoint of the contract, and nothing else', async () => {
    const other = await createApp({ ...server.app.config, data_dir: `${server.data_dir}/other` })
    const names = other.routes.map((route) => route.endpoint.name)
    await other.close()
    expect(names.toSorted(), 'contract/index.ts lists a call, its noun’s routes.ts handles it').toEqual(
      ENDPOINTS.map((endpoint) => endpoint.name).toSorted(),
    )
    for (const { method, path, name, who } of ENDPOINTS) {
      const answer = await server.request(`/api/v1${path.replace(/:[a-z_]+/g, 'x')}`, { method })
      // Without a token and without a body every call but a public one wants the token; that one answers, misses its input,
      // knows no such thing, or says that this server has no such channel. What is not mounted at all says so in other words.
      const mounted = !(await answer.text()).includes('沒有這個網址')
      const fits =
        who === 'public'
          ? mounted && [200, 404, 409, 410, 422].includes(answer.status)
          : answer.status === 401
      expect([name, answer.status, fits]).toEqual([name, answer.status, true])
    }
  })

  test('the page shows every call, works without scripts and under a policy without exceptions', async () => {
    const answer = await server.request('/api/docs')
    const html = await answer.text()
    const absent = ENDPOINTS.filter(({ about }) => !html.includes(about.replaceAll('"', '&#34;')))
    expect(absent.map(({ name }) => name)).toEqual([])
    expect(html).toContain('/hooks/{token}')
    expect(html).not.toMatch(/<script|\son\w+=|\sstyle=/)
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'none'/,
    )
    const anchors = [...html.matchAll(/href="#([^"]+)"/g)].map((match) => match[1] as string)
    for (const anchor of new Set(anchors)) expect(html).toContain(`id="${anchor}"`)
  })

  test('the document made twice is the same', () => {
    expect(openApi('1')).toEqual(openApi('1'))
  })
})
