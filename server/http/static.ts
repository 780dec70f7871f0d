// The built app: files held in memory with their compressed twins, the pages drawn at build, and index.html for every other page.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { type Context, Hono } from 'hono'
import type { App } from '../context.ts'
import { pagePolicy, secureHeaders } from './secure.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
}
/** Where a page of the app stands, as its router has it (src/routeTree.gen.ts); `$` is any one part. */
export const PAGES = [
  ...['/', '/login', '/reset-password', '/auth/oauth/authorize', '/sso', '/token-login', '/403'],
  ...['/dashboard', '/guide', '/signals', '/profile', '/signal-notification', '/my-announcements'],
  ...['/strategies', '/strategies/$', '/strategies/$/edit'],
  ...[
    '/strategies/create',
    '/strategies/create/futures',
    '/strategies/create/stock',
    '/strategies/create/xq-stock',
  ],
  ...['/my-organizations', '/organizations/create', '/organizations/manage', '/organizations/info'],
  '/organizations/$/announcements',
  ...['/test-shadcn', '/component-demo', '/tests/permission', '/search-form-demo'],
  ...['/demo-strategylist', '/demo-strategylist/icons', '/demo-strategylist/color-test'],
]
const PAGE = new RegExp(`^(${PAGES.map((path) => path.replaceAll('$', '[^/]+')).join('|')})/?$`, 'i')
/** Under these a missing name is missing, never the app's page. */
const NO_PAGE = /^\/(api|oidc|hooks|assets|files|unsubscribe)(\/|$)/
const IMMUTABLE = 'public, max-age=31536000, immutable'

interface Asset {
  readonly type: string
  readonly etag: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly br: Uint8Array<ArrayBuffer> | null
  readonly gzip: Uint8Array<ArrayBuffer> | null
  readonly cache: string
  readonly policy: string | null
}

/** The files of a built app by the path they are asked for. */
export type Files = ReadonlyMap<string, Asset>

/** Serves `dist_dir` as it is now, or what of it was read before. */
export function staticRoutes(app: Pick<App, 'config'>, files = loadFiles(app.config.dist_dir)): Hono {
  const headers = secureHeaders(app.config.public_url)
  const page = files.get('/index.html')
  /** What was drawn at build (server/cli/prerender.ts); every other page begins with index.html. */
  const drawn = (c: Context) => {
    if (c.req.path === '/') return files.get('/landing.html')
    if (c.req.path !== '/login') return undefined
    return files.get(c.req.query('tab') === 'register' ? '/register.html' : '/login.html')
  }
  const router = new Hono()
  router.all('*', (c) => {
    const { method, path } = c.req
    if (method !== 'GET' && method !== 'HEAD')
      return plainText(405, '不支援這個操作', { ...headers, allow: 'GET, HEAD' })
    const asset = files.get(path) ?? drawn(c) ?? (PAGE.test(path) ? page : undefined)
    if (asset) return send(c, asset, headers)
    // a browser is shown by the app that there is nothing here; whoever only asks is told by the number
    if (page && mayBePage(path) && /\btext\/html\b/.test(c.req.header('accept') ?? ''))
      return send(c, page, { ...headers, 'cache-control': 'no-store' }, 404)
    if (PAGE.test(path)) return plainText(404, '畫面尚未建置，請執行 npm start', headers)
    return plainText(404, mayBePage(path) ? '找不到這個頁面' : '找不到這個檔案', headers)
  })
  return router
}

/** True where somebody may look for a page: no reserved prefix, no name of a file. */
function mayBePage(path: string): boolean {
  return !NO_PAGE.test(path) && !Object.hasOwn(TYPES, extname(path).toLowerCase())
}

function send(c: Context, asset: Asset, shared: Record<string, string>, status = 200): Response {
  const headers: Record<string, string> = {
    'cache-control': asset.cache,
    ...shared,
    'content-type': asset.type,
    ...(status === 200 && { etag: asset.etag }),
    ...(asset.policy && { 'content-security-policy': asset.policy }),
    ...((asset.br || asset.gzip) && { vary: 'accept-encoding' }),
  }
  const known = (c.req.header('if-none-match') ?? '').split(',').map((tag) => tag.trim())
  if (status === 200 && known.includes(asset.etag)) return new Response(null, { status: 304, headers })
  const accepted = c.req.header('accept-encoding') ?? ''
  const encoding =
    asset.br && takes(accepted, 'br') ? 'br' : asset.gzip && takes(accepted, 'gzip') ? 'gzip' : null
  if (encoding) headers['content-encoding'] = encoding
  const bytes = (encoding && asset[encoding]) || asset.plain
  headers['content-length'] = String(bytes.byteLength)
  return new Response(c.req.method === 'HEAD' ? null : bytes, { status, headers })
}

/** `br;q=0` means: not that one. */
function takes(accepted: string, encoding: string): boolean {
  return new RegExp(`(^|[\\s,])${encoding}(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))\\s*(;|,|$)`, 'i').test(accepted)
}

function plainText(status: number, text: string, headers: Record<string, string>): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })
}

export function loadFiles(folder: string): Files {
  const files = new Map<string, Asset>()
  if (!existsSync(folder)) return files
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
  const all = new Set(names)
  for (const name of names) {
    const type = TYPES[extname(name).toLowerCase()]
    if (type === undefined) continue
    const path = `/${relative(folder, name).split(sep).join('/')}`
    const plain = new Uint8Array(readFileSync(name))
    const twin = (end: string) => (all.has(name + end) ? new Uint8Array(readFileSync(name + end)) : null)
    files.set(path, {
      type,
      plain,
      br: twin('.br'),
      gzip: twin('.gz'),
      etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`,
      cache: path.startsWith('/assets/') ? IMMUTABLE : 'no-cache',
      policy: type.startsWith('text/html') ? pagePolicy(Buffer.from(plain).toString('utf8')) : null,
    })
  }
  return files
}
