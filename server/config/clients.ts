// OAUTH_CLIENTS: the applications of others that may ask for access, one JSON file, read at the start.
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { OAUTH_SCOPES, type OauthScope } from '#contract/oauth.ts'

/** An application of somebody else. */
export interface OAuthClient {
  readonly client_id: string
  readonly client_name: string
  /** null = a public client (app on a device): PKCE alone. */
  readonly client_secret: string | null
  /** Compared to the letter. */
  readonly redirect_uris: readonly string[]
  /** A data: picture, because the page shows no foreign addresses. */
  readonly logo: string | null
  readonly scopes: readonly OauthScope[]
}

/** A picture inside the file: the page's policy allows no others. */
export const picture = z
  .string()
  .check(
    z.regex(/^data:image\/(png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/=]+$/, '要是 data:image/…;base64 圖片'),
    z.maxLength(100_000, '最多 75 KB'),
  )

const client = z.object({
  client_id: z.string().check(z.regex(/^[\w.-]{3,100}$/, '3 到 100 個英數字、點、底線或減號')),
  client_name: z.string().check(z.trim(), z.minLength(1, '必填'), z.maxLength(60, '最多 60 個字')),
  client_secret: z._default(
    z.nullable(z.string().check(z.minLength(32, '至少 32 個字元，請用亂數產生'))),
    null,
  ),
  redirect_uris: z.array(z.string()).check(z.minLength(1, '至少一個'), z.maxLength(20, '最多 20 個')),
  logo: z._default(z.nullable(picture), null),
  scopes: z._default(z.array(z.enum(OAUTH_SCOPES)), [...OAUTH_SCOPES]),
})

/** The clients of a file; what is wrong goes to `problem`, one line each. */
export function readClients(path: string | null, problem: (text: string) => void): readonly OAuthClient[] {
  if (path === null) return []
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    problem(`OAUTH_CLIENTS=${path}：要是讀得到的 JSON 檔`)
    return []
  }
  const { data, error } = z.array(client).safeParse(content)
  for (const { path: at, message } of error?.issues ?? [])
    problem(`OAUTH_CLIENTS：${at.join('.') || '檔案'} ${message}`)
  if (!data) return []
  const ids = data.map(({ client_id }) => client_id)
  for (const id of new Set(ids.filter((one, i) => ids.indexOf(one) !== i)))
    problem(`OAUTH_CLIENTS：${id} 出現兩次`)
  for (const { client_id, redirect_uris } of data) {
    for (const uri of redirect_uris) {
      const wrong = wrongRedirect(uri)
      if (wrong) problem(`OAUTH_CLIENTS：${client_id} 的 redirect_uris ${uri} ${wrong}`)
    }
    if (new Set(redirect_uris.map(isWeb)).size > 1)
      problem(
        `OAUTH_CLIENTS：${client_id} 的 redirect_uris 不能混用網址與 App 專屬網址，請分成兩個 client_id`,
      )
  }
  return data
}

/** True for http(s); false for an application's own scheme. */
export function isWeb(uri: string): boolean {
  return /^https?:/i.test(uri)
}

/** What is wrong with an address that codes are sent to, else null. */
function wrongRedirect(uri: string): string | null {
  if (!URL.canParse(uri)) return '不是完整網址'
  const { protocol, hostname, username, password, href } = new URL(uri)
  if (href.includes('#')) return '不能有 #'
  if (uri.includes('*')) return '不能有 *，每個網址都要寫全'
  if (username || password) return '不能有帳號或密碼'
  if (protocol === 'https:') return null
  if (protocol === 'http:')
    return isLoopback(hostname) ? null : '要用 https（只有 127.0.0.1、[::1]、localhost 可用 http）'
  // RFC 8252 §7.1: a scheme of one's own is a domain turned around.
  return /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(protocol) ? null : '的開頭要像 com.example.app:'
}

/** True for this machine's own names. */
export function isLoopback(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost'
}
