// SSO_PROVIDERS: where people may sign in instead of with a password here; JSON itself or the path of a JSON file.
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { isLoopback, picture } from './clients.ts'

/** An OpenID provider of somebody else. */
export interface SsoProvider {
  /** Stands in addresses and with every identity: never changed once used. */
  readonly id: string
  readonly name: string
  readonly icon: string | null
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string | null
  readonly scopes: string
}

const provider = z.object({
  id: z.string().check(z.regex(/^[a-z0-9-]{1,32}$/, '1 到 32 個小寫英數字或減號')),
  name: z.string().check(z.trim(), z.minLength(1, '必填'), z.maxLength(40, '最多 40 個字')),
  icon: z._default(z.nullable(picture), null),
  issuer: z.string().check(z.refine(isIssuer, '要是 https 網址（本機可用 http）')),
  client_id: z.string().check(z.minLength(1, '必填')),
  client_secret: z._default(z.nullable(z.string().check(z.minLength(1, '不能是空的'))), null),
  scopes: z._default(z.string().check(z.regex(/(^| )openid( |$)/, '要包含 openid')), 'openid email profile'),
})

/** The providers of a variable; what is wrong goes to `problem`, one line each. Secrets are never repeated. */
export function readProviders(value: string | null, problem: (text: string) => void): readonly SsoProvider[] {
  if (value === null) return []
  let content: unknown
  try {
    content = JSON.parse(value.startsWith('[') ? value : readFileSync(value, 'utf8'))
  } catch {
    problem('SSO_PROVIDERS：要是 JSON 陣列，或讀得到的 JSON 檔')
    return []
  }
  const { data, error } = z.array(provider).safeParse(content)
  for (const { path, message } of error?.issues ?? [])
    problem(`SSO_PROVIDERS：${path.join('.') || '內容'} ${message}`)
  const ids = data?.map(({ id }) => id) ?? []
  for (const id of new Set(ids.filter((one, i) => ids.indexOf(one) !== i)))
    problem(`SSO_PROVIDERS：${id} 出現兩次`)
  return data ?? []
}

function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, search, hash, username } = new URL(value)
  if (search || hash || username) return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}
