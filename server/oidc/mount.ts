// Puts the provider beside our own doors on one port: it must believe PUBLIC_URL, not what a request says of its host.
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Config } from '../config.ts'
import { addressOf } from '../http/address.ts'
import { secureHeaders } from '../http/secure.ts'
import { type Rates, tooOften } from '../limits/rate.ts'
import type { Oidc } from './provider.ts'

const PREFIX = '/oidc'
const FORWARDED = ['x-forwarded-host', 'x-forwarded-port', 'x-forwarded-for', 'forwarded']

/** Everything under /oidc/ goes to the provider, the rest to `next`; without a provider all goes to `next`. */
export function mountOidc(
  app: { config: Config; limits: Rates; oidc: Oidc | null },
  next: RequestListener,
): RequestListener {
  const { oidc, config, limits } = app
  if (!oidc) return next
  const { host, protocol } = new URL(config.public_url)
  const serve = oidc.provider.callback()
  const headers = secureHeaders(config.public_url)
  return async (request, response) => {
    if (!request.url?.startsWith(`${PREFIX}/`)) return next(request, response)
    const from = addressOf(config, request.socket.remoteAddress ?? '', header(request, 'x-forwarded-for'))
    const wait_s = await limits.waitFrom('oidc_ip', from)
    if (wait_s > 0) {
      response.writeHead(429, {
        ...headers,
        'retry-after': String(wait_s),
        'content-type': 'text/plain; charset=utf-8',
      })
      return response.end(`${tooOften(wait_s).text}\n`)
    }
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    for (const name of FORWARDED) delete request.headers[name]
    request.headers.host = host
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    // The library takes what is missing at the front for the place where it is mounted.
    Object.assign(request, { originalUrl: request.url })
    request.url = request.url.slice(PREFIX.length)
    return serve(request, response)
  }
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name]
  return (Array.isArray(value) ? value.join(',') : value) ?? ''
}
