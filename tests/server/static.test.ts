// The built app as it is served: caches, compressed twins, the page for every route, and a policy made from the page itself.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compress } from '#server/cli/building.ts'
import { PAGES } from '#server/http/static.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const SCRIPT = "\n  document.documentElement.dataset.theme = 'dark'\n"
const OTHER = "\n  document.title = '登入'\n"
const STYLE = '\n  body { margin: 0 }\n'
const PAGE = `<!doctype html><html><head><!-- <script>commented()</script> --><script>${SCRIPT}</script><style>${STYLE}</style>
<script type="module" crossorigin src="/assets/main-abc.js"></script></head><body><div id="root">${'凌波'.repeat(300)}</div></body></html>`
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe('static files', () => {
  let dist: string
  let server: TestServer
  beforeAll(async () => {
    dist = mkdtempSync(join(tmpdir(), 'lingbo-dist-'))
    mkdirSync(join(dist, 'assets'))
    const files = {
      'index.html': PAGE,
      'landing.html': PAGE.replace('凌波', '介紹'),
      'login.html': PAGE.replace('凌波', '登入').replace(SCRIPT, OTHER),
      'register.html': PAGE.replace('凌波', '註冊'),
      'assets/main-abc.js': `console.log(${JSON.stringify('波'.repeat(2_000))})`,
      'sw.js': 'self.skipWaiting',
      'manifest.webmanifest': '{"name":"凌波"}',
      '.stamp': 'secret',
    }
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(dist, name), text)
      compress(join(dist, name))
    }
    server = await startServer({ env: { DIST_DIR: dist } })
  })
  afterAll(async () => {
    await server.close()
    rmSync(dist, { recursive: true, force: true })
  })

  /** fetch would undo the compression and tidy the path. */
  const raw = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
      (resolve, reject) => {
        get(server.url, { path, headers }, (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
          )
        }).on('error', reject)
      },
    )

  test.each([
    '/index.html',
    '/login/',
    '/dashboard?tab=register',
    '/strategies/01a1f920-1e8b-70d6-83ab-4b06e4022c28',
    '/my-organizations?invite=X',
    '/strategies/create/xq-stock/',
  ])('%s is the app’s page', async (path) => {
    const answer = await server.request(path)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe(PAGE)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  test.each([
    ['/', '介紹'],
    ['/?source=pwa', '介紹'],
    ['/login', '登入'],
    ['/login?returnTo=%2Fstrategies', '登入'],
    ['/login?tab=register', '註冊'],
    ['/login?returnTo=%2F&tab=register', '註冊'],
  ])('%s is a page of its own, drawn at build', async (path, word) => {
    const answer = await server.request(path)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    expect(await answer.text()).toContain(`<div id="root">${word}`)
    const again = await server.request(path, {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
    // each with a policy made from itself
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect([policy.includes(hash(SCRIPT)), policy.includes(hash(OTHER))]).toEqual(
      word === '登入' ? [false, true] : [true, false],
    )
  })

  test('the policy allows exactly the page’s own inline script and style', async () => {
    const policy = (await server.request('/')).headers.get('content-security-policy') ?? ''
    const parts = Object.fromEntries(
      policy.split('; ').map((part) => [part.split(' ')[0], part.split(' ').slice(1)]),
    )
    expect(parts).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'self'", hash(SCRIPT)],
      'style-src': ["'self'", hash(STYLE)],
      'img-src': ["'self'", 'data:', 'blob:'],
      'font-src': ["'self'"],
      'connect-src': ["'self'"],
      'manifest-src': ["'self'"],
      'worker-src': ["'self'"],
      'form-action': ["'self'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
      'object-src': ["'none'"],
    })
    expect(policy).not.toContain('unsafe')
  })

  test('the pages are those of the app’s router', () => {
    const tree = readFileSync(new URL('../../src/routeTree.gen.ts', import.meta.url), 'utf8')
    const [, routes = ''] = /interface FileRoutesByTo \{(.*?)\n\}/s.exec(tree) ?? []
    const paths = [...routes.matchAll(/'(\/[^']*)':/g)].map(([, path = '']) => path.replace(/\$\w+/g, '$'))
    expect(paths.filter((path) => path !== '/$').toSorted()).toEqual(PAGES.toSorted())
  })

  test('where no page stands the answer is 404: for a browser with the page that says so', async () => {
    for (const path of [
      '/metrics',
      '/debug',
      '/debug/pprof',
      '/apiary',
      '/strategies/a/b/c',
      '/organizations',
      '/wp-login',
    ]) {
      const asked = await server.request(path)
      expect([path, asked.status, await asked.text()]).toEqual([path, 404, '找不到這個頁面\n'])
      const seen = await server.request(path, { headers: { accept: 'text/html,*/*;q=0.8' } })
      expect([path, seen.status, await seen.text()]).toEqual([path, 404, PAGE])
      expect([seen.headers.get('cache-control'), seen.headers.get('etag')]).toEqual(['no-store', null])
    }
    const file = await server.request('/missing.js', { headers: { accept: 'text/html' } })
    expect([file.status, await file.text()]).toEqual([404, '找不到這個檔案\n'])
  })

  test('assets are kept for ever, a missing one is missing and not kept', async () => {
    const there = await server.request('/assets/main-abc.js')
    expect(there.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    for (const path of [
      '/assets/main-old.js',
      '/assets/',
      '/assets',
      '/missing.js',
      '/files/x.webp',
      '/oidc/x',
    ]) {
      const answer = await server.request(path)
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 404, 'no-store'])
      expect(await answer.text()).not.toContain('<html')
    }
  })

  test('worker and manifest are asked for again each time', async () => {
    for (const [path, type] of [
      ['/sw.js', 'text/javascript; charset=utf-8'],
      ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8'],
      ['/index.html', 'text/html; charset=utf-8'],
    ] as const) {
      const answer = await server.request(path)
      expect([
        answer.status,
        answer.headers.get('cache-control'),
        answer.headers.get('content-type'),
      ]).toEqual([200, 'no-cache', type])
    }
  })

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1, br;q=0', 'gzip'],
    ['identity', undefined],
    ['', undefined],
    ['brotli', undefined],
  ])('accept-encoding "%s" gets %s', async (accepted, encoding) => {
    const answer = await raw('/assets/main-abc.js', { 'accept-encoding': accepted })
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(answer.headers['vary']).toBe('accept-encoding')
    const plain =
      encoding === 'br'
        ? brotliDecompressSync(answer.body)
        : encoding === 'gzip'
          ? gunzipSync(answer.body)
          : answer.body
    expect(plain.equals(readFileSync(join(dist, 'assets/main-abc.js')))).toBe(true)
    if (encoding) expect(answer.body.length).toBeLessThan(plain.length / 2)
  })

  test('who has it already gets 304; HEAD gets headers only', async () => {
    const first = await server.request('/sw.js')
    const again = await server.request('/sw.js', {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
    const head = await server.request('/sw.js', { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '16'])
    expect((await server.request('/login', { method: 'POST' })).status).toBe(405)
  })

  test('nothing outside the folder and nothing hidden is given', async () => {
    for (const path of [
      '/.stamp',
      '/../package.json',
      '/..%2f..%2fpackage.json',
      '/assets/..%2f.stamp',
      '/assets/%2e%2e/.stamp',
      '//etc/passwd',
      '/index.html.br',
    ]) {
      const { body } = await raw(path)
      expect([path, body.includes('secret') || body.includes('lingbo"') || body.includes('root:')]).toEqual([
        path,
        false,
      ])
    }
  })

  test('every page carries the headers that keep it to itself; HSTS only over https', async () => {
    for (const path of ['/', '/assets/main-abc.js', '/api/docs', '/missing.js']) {
      const { headers } = await server.request(path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('permissions-policy')).toContain('camera=()')
      expect(headers.get('strict-transport-security')).toBeNull()
    }
    const secure = await startServer({ env: { DIST_DIR: dist, PUBLIC_URL: 'https://lingbo.example.com' } })
    expect((await secure.request('/')).headers.get('strict-transport-security')).toBe('max-age=31536000')
    await secure.close()
  })
})

describe('without a build', () => {
  test('says what to do, and the API works', async () => {
    const server = await startServer({ env: { DIST_DIR: join(tmpdir(), 'lingbo-no-such-folder') } })
    const page = await server.request('/')
    expect([page.status, await page.text()]).toEqual([404, '畫面尚未建置，請執行 npm start\n'])
    expect((await server.request('/readyz')).status).toBe(200)
    await server.close()
  })
})
