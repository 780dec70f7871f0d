// The headers that keep a page to itself, and the content security policy made from the page's own inline parts.
import { createHash } from 'node:crypto'

const EVERY: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
const ONE_YEAR_S = 31_536_000

/** Headers of every file and page; HSTS where people come by https. */
export function secureHeaders(public_url: string): Record<string, string> {
  if (!public_url.startsWith('https:')) return EVERY
  return { ...EVERY, 'strict-transport-security': `max-age=${ONE_YEAR_S}` }
}

/** What the names of cookies begin with where people come by https: no page of another host or of plain http can set such a one. */
export function cookiePrefix({ public_url }: { public_url: string }): '' | '__Secure-' {
  return public_url.startsWith('https:') ? '__Secure-' : ''
}

/** A page that only sends its own form on to an address of another. */
export function formPolicy(html: string): string {
  const action = /<form[^>]* action="([^"]*)"/i.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const to = URL.canParse(action) ? new URL(action).origin : "'none'"
  return `default-src 'none'; script-src${inlineHashes(html, 'script') || " 'none'"}; form-action ${to}; base-uri 'none'; frame-ancestors 'none'`
}

/** The policy of the app's page: own files, and exactly the inline scripts and styles that stand in it. */
export function pagePolicy(html: string): string {
  const scripts = inlineHashes(html, 'script')
  const styles = inlineHashes(html, 'style')
  return [
    "default-src 'none'",
    `script-src 'self'${scripts}`,
    `style-src 'self'${styles}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}

/** A page without scripts that shows only itself; with `'self'` its form may come back here. */
export function readingPolicy(html: string, forms: "'none'" | "'self'" = "'none'"): string {
  return `default-src 'none'; style-src${inlineHashes(html, 'style') || " 'none'"}; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`
}

/** ` 'sha256-…'` of each inline element, as the browser computes it: over the exact text between the tags. */
function inlineHashes(html: string, tag: 'script' | 'style'): string {
  // What a comment shows is not an element.
  const shown = html.replace(/<!--[\s\S]*?-->/g, (comment) => (comment.includes(`<${tag}`) ? '' : comment))
  let hashes = ''
  for (const [, attributes = '', text = ''] of shown.matchAll(
    new RegExp(`<${tag}\\b([^>]*)>([\\s\\S]*?)</${tag}\\s*>`, 'gi'),
  )) {
    if (/\bsrc\s*=/i.test(attributes) || text === '') continue
    hashes += ` 'sha256-${createHash('sha256').update(text.replace(/\r\n?/g, '\n')).digest('base64')}'`
  }
  return hashes
}
