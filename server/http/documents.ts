// GET /api/openapi.json and /api/docs: made once, from the contract.

import { Hono } from 'hono'
import type { App } from '../context.ts'
import { type JsonSchema, NOUNS, type OpenApi, type Operation, openApi } from './openapi.ts'
import { readingPolicy, secureHeaders } from './secure.ts'

// The page that shows the API document: written on the server, no script, readable on a phone.

const WHO: Record<string, string> = { public: '任何人', login: '登入的使用者', token: '知道網址的人' }

/** The whole page as HTML. */
export function docsPage(document: OpenApi): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const sections = Object.entries(NOUNS).map(([noun, title]) => ({
    noun,
    title,
    calls: calls.filter(({ operation }) => operation.tags.includes(noun)),
  }))
  const menu = sections
    .map(
      ({ noun, title, calls: own }) =>
        `<li><a href="#${noun}">${text(title)}</a> <small>${own.length}</small></li>`,
    )
    .join('')
  const body = sections
    .map(
      ({ noun, title, calls: own }) =>
        `<section id="${noun}"><h2>${text(title)}</h2>${own.map(({ path, method, operation }) => card(method, path, operation)).join('')}</section>`,
    )
    .join('')
  const shapes = Object.entries(document.components.schemas)
    .map(([name, schema]) => `<section id="shape-${name}"><h3>${name}</h3>${shape(schema)}</section>`)
    .join('')
  return `<!doctype html>
<html lang="zh-Hant-TW"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>凌波 LingBo API</title><style>${STYLE}</style></head>
<body><header><h1>凌波 LingBo API</h1><p>${prose(String(document.info['description'] ?? ''))}</p>
<p>機器可讀：<a href="/api/openapi.json">openapi.json</a></p></header>
<nav aria-label="目錄"><ul>${menu}<li><a href="#shapes">資料形狀</a></li></ul></nav>
<main>${body}<section id="shapes"><h2>資料形狀</h2>${shapes}</section></main></body></html>`
}

function card(method: string, path: string, operation: Operation): string {
  const base = operation.servers ? '' : '/api/v1'
  const who = WHO[operation['x-who']] ?? `權限 ${operation['x-who']}`
  const facts = [
    ['誰可以呼叫', who],
    ['離線時', operation['x-when-offline'] === 'queue' ? '放進待送匣，連線後送出' : '無法使用'],
    ...(operation['x-scope'] ? [['第三方授權範圍', operation['x-scope']]] : []),
  ]
  const content = (part: JsonSchema | undefined) =>
    Object.values((part?.['content'] ?? {}) as Record<string, { schema: JsonSchema }>)[0]?.schema
  const input = content(operation.requestBody)
  const output = content(operation.responses['200'])
  const result = ((output?.['properties'] ?? {}) as Record<string, JsonSchema>)['result'] ?? output
  return `<article id="${text(operation.operationId)}"><h3><b class="${method}">${method}</b> <code>${text(base + path)}</code></h3>
<p>${text(operation.summary)}</p><dl>${facts.map(([key = '', value = '']) => `<div><dt>${text(key)}</dt><dd>${text(value)}</dd></div>`).join('')}</dl>
${operation.parameters.length > 0 ? `<details><summary>參數</summary>${parameters(operation.parameters)}</details>` : ''}
${input ? `<details><summary>送出</summary>${shape(input)}</details>` : ''}
${result ? `<details><summary>得到</summary>${shape(result)}</details>` : ''}</article>`
}

const PLACES: Record<string, string> = { path: '路徑', query: '查詢', header: '標頭' }

function parameters(list: readonly JsonSchema[]): string {
  const rows = list.map(
    ({ name, in: place, required, schema, description }) =>
      `<tr><td><code>${text(String(name))}</code></td><td>${PLACES[String(place)] ?? ''}</td><td>${required ? '必填' : ''}</td><td><code>${notation(schema as JsonSchema, '')}</code></td><td>${text(String(description ?? ''))}</td></tr>`,
  )
  return `<div class="wide"><table><thead><tr><th>名稱</th><th>位置</th><th></th><th>型別</th><th>說明</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function shape(schema: JsonSchema): string {
  return `<pre>${notation(schema, '')}</pre>`
}

/** A schema in the notation that developers read fastest: TypeScript's, with the bounds behind. */
function notation(schema: JsonSchema, indent: string): string {
  const { $ref, type, properties, items, enum: values, additionalProperties } = schema
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? ''
    return `<a href="#shape-${name}">${name}</a>`
  }
  if ('const' in schema) return text(JSON.stringify(schema['const']))
  if (Array.isArray(values)) return values.map((value) => text(JSON.stringify(value))).join(' | ')
  for (const kind of ['oneOf', 'anyOf'])
    if (Array.isArray(schema[kind]))
      return (schema[kind] as JsonSchema[]).map((branch) => notation(branch, indent)).join(' | ')
  if (Array.isArray(schema['prefixItems']))
    return `[${(schema['prefixItems'] as JsonSchema[]).map((item) => notation(item, indent)).join(', ')}]`
  if (type === 'array') return `${notation((items ?? {}) as JsonSchema, indent)}[]${bounds(schema)}`
  if (typeof properties === 'object' && properties !== null) {
    const required = (schema['required'] ?? []) as string[]
    const lines = Object.entries(properties as Record<string, JsonSchema>).map(
      ([name, value]) =>
        `${indent}  ${text(name)}${required.includes(name) ? '' : '?'}: ${notation(value, `${indent}  `)}`,
    )
    return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`
  }
  if (typeof additionalProperties === 'object' && additionalProperties !== null)
    return `{ [key: string]: ${notation(additionalProperties as JsonSchema, indent)} }`
  return `${text(String(type ?? 'unknown'))}${bounds(schema)}`
}

function bounds({
  minLength,
  maxLength,
  minimum,
  maximum,
  minItems,
  maxItems,
  default: fallback,
}: JsonSchema): string {
  const from = minLength ?? minimum ?? minItems
  const most = maxLength ?? maximum ?? maxItems
  const range = from === undefined && most === undefined ? '' : `${from ?? ''}–${most ?? ''}`
  const notes = [range, fallback === undefined ? '' : `預設 ${JSON.stringify(fallback)}`].filter(Boolean)
  return notes.length === 0 ? '' : ` <i>${text(notes.join('，'))}</i>`
}

/** Text with `code` in it. */
function prose(value: string): string {
  return text(value).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function text(value: string): string {
  return value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

const STYLE = `:root{color-scheme:light dark;--g:#f3f5f8;--c:#fff;--l:#dde2ea;--i:#121a27;--m:#56617280;--s:#566172;--b:#1d55c4}
@media(prefers-color-scheme:dark){:root{--g:#0e131b;--c:#151c27;--l:#253042;--i:#e9eef5;--s:#9aa7ba;--b:#85aaff}}
*{box-sizing:border-box}body{margin:0;background:var(--g);color:var(--i);font:16px/1.7 'Noto Sans TC','PingFang TC','Microsoft JhengHei',sans-serif}
header,main,nav{max-width:960px;margin:0 auto;padding:24px}a{color:var(--b)}h1{font-size:28px;margin:16px 0}h2{font-size:22px;margin:40px 0 16px}
h3{font-size:16px;margin:0;overflow-wrap:anywhere}nav{position:sticky;top:0;background:var(--g);padding:8px 24px;border-bottom:1px solid var(--l)}
nav ul{display:flex;gap:4px 20px;overflow-x:auto;list-style:none;margin:0;padding:0;white-space:nowrap}nav a{display:inline-block;padding:8px 0}nav small{color:var(--s)}
article,main section section{background:var(--c);border:1px solid var(--l);border-radius:12px;padding:16px 20px;margin:0 0 12px}section{scroll-margin-top:64px}
article p{margin:4px 0 8px}dl{margin:0;display:flex;flex-wrap:wrap;gap:0 24px;color:var(--s);font-size:14px}dl div{display:flex;gap:8px}dd{margin:0;color:var(--i)}
b.GET{color:#0a7d4f}b.POST{color:#1d55c4}b.PUT{color:#9a5b00}b.DELETE{color:#c2273b}@media(prefers-color-scheme:dark){b.GET{color:#4fc894}b.POST{color:#85aaff}b.PUT{color:#e0a452}b.DELETE{color:#ff8a95}}
summary{cursor:pointer;padding:8px 0}.wide,pre{overflow-x:auto}pre,code{font:14px/1.6 ui-monospace,Menlo,Consolas,monospace}pre{margin:8px 0 0}pre i,code i{color:var(--s);font-style:normal}
table{border-collapse:collapse;font-size:14px;min-width:560px}th,td{text-align:left;padding:4px 16px 4px 0;border-bottom:1px solid var(--l);vertical-align:top}`

const VERSION = '1'

export function documentRoutes(app: Pick<App, 'config'>): Hono {
  let made: { json: string; html: string; policy: string } | undefined
  function make() {
    const document = openApi(VERSION)
    const html = docsPage(document)
    return { json: JSON.stringify(document), html, policy: readingPolicy(html) }
  }
  const headers = { ...secureHeaders(app.config.public_url), 'cache-control': 'no-cache' }
  const router = new Hono()
  router.get('/openapi.json', () => {
    made ??= make()
    return new Response(made.json, {
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    })
  })
  router.get('/docs', () => {
    made ??= make()
    return new Response(made.html, {
      headers: {
        ...headers,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': made.policy,
      },
    })
  })
  return router
}
