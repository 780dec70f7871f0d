// GET /api/openapi.json and /api/docs: made once, from the contract.

import { Hono } from 'hono'
import * as z from 'zod/mini'
import { mayBeAsMember } from '#contract/access.ts'
import { type Endpoint, pathParameters } from '#contract/endpoint.ts'
import { ERRORS } from '#contract/errors.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { IDEMPOTENCY_DAYS } from '#contract/limits.ts'
import { product } from '#contract/market.ts'
import { organization_entry } from '#contract/organization.ts'
import { profile } from '#contract/profile.ts'
import { session } from '#contract/session.ts'
import { normal_signal, signal_derived, signal_facts, signal_record } from '#contract/signal.ts'
import { stats_summary } from '#contract/statistics.ts'
import { stock_signal_setting } from '#contract/stock-signal-setting.ts'
import { position, strategy, strategy_notify } from '#contract/strategy.ts'
import { delivery, hook_answer, mapping, webhook } from '#contract/webhook.ts'
import { pageColours } from '../brand.ts'
import type { App } from '../context.ts'
import { readingPolicy, secureHeaders } from './secure.ts'

// The page that shows the API document: written on the server, no script, readable on a phone.

const WHO: Record<string, string> = { public: '任何人', login: '登入的使用者', token: '知道網址的人' }

/** The whole page as HTML. */
function docsPage(document: OpenApi): string {
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

const STYLE = `${pageColours('ground', 'card', 'line', 'ink', 'ink-3', 'brand', 'good', 'warn', 'danger')}*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.7 'Noto Sans TC','PingFang TC','Microsoft JhengHei',sans-serif}
header,main,nav{max-width:960px;margin:0 auto;padding:24px}a{color:var(--brand)}h1{font-size:28px;margin:16px 0}h2{font-size:22px;margin:40px 0 16px}
h3{font-size:16px;margin:0;overflow-wrap:anywhere}nav{position:sticky;top:0;background:var(--ground);padding:8px 24px;border-bottom:1px solid var(--line)}
nav ul{display:flex;gap:4px 20px;overflow-x:auto;list-style:none;margin:0;padding:0;white-space:nowrap}nav a{display:inline-block;padding:8px 0}nav small{color:var(--ink-3)}
article,main section section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:16px 20px;margin:0 0 12px}section{scroll-margin-top:64px}
article p{margin:4px 0 8px}dl{margin:0;display:flex;flex-wrap:wrap;gap:0 24px;color:var(--ink-3);font-size:14px}dl div{display:flex;gap:8px}dd{margin:0;color:var(--ink)}
b.GET{color:var(--good)}b.POST{color:var(--brand)}b.PUT{color:var(--warn)}b.DELETE{color:var(--danger)}
summary{cursor:pointer;padding:8px 0}.wide,pre{overflow-x:auto}pre,code{font:14px/1.6 ui-monospace,Menlo,Consolas,monospace}pre{margin:8px 0 0}pre i,code i{color:var(--ink-3);font-style:normal}
table{border-collapse:collapse;font-size:14px;min-width:560px}th,td{text-align:left;padding:4px 16px 4px 0;border-bottom:1px solid var(--line);vertical-align:top}`

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

// The OpenAPI 3.1 document, made from the contract alone: what is not an endpoint object is not in it.

/** Shapes with a name of their own in the document. */
const shapes = {
  Product: product,
  OrganizationEntry: organization_entry,
  Profile: profile,
  Session: session,
  NormalSignal: normal_signal,
  SignalDerived: signal_derived,
  SignalFacts: signal_facts,
  SignalRecord: signal_record,
  StatsSummary: stats_summary,
  StockSignalSetting: stock_signal_setting,
  Position: position,
  Strategy: strategy,
  StrategyNotify: strategy_notify,
  Delivery: delivery,
  HookAnswer: hook_answer,
  Mapping: mapping,
  Webhook: webhook,
}

export type JsonSchema = { [key: string]: unknown }

/** One call of the document. */
export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: JsonSchema[]
  requestBody?: JsonSchema
  responses: Record<string, JsonSchema>
  servers?: { url: string }[]
  'x-who': string
  'x-when-offline': string
  'x-scope'?: string
}

export interface OpenApi {
  openapi: string
  info: JsonSchema
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: JsonSchema }
}

/** The nouns in the order of the document, with their names in Chinese. */
export const NOUNS: Record<string, string> = {
  session: '登入與註冊',
  profile: '我的資料',
  sso: '以其他帳號登入',
  oauth: '第三方應用程式',
  organization: '組織',
  membership: '組織成員',
  invitation: '組織邀請',
  join: '邀請連結、加入碼與加入申請',
  group: '策略群組',
  strategy: '策略',
  'stock-signal-setting': '個股訊號設定',
  'original-data': '原始資料：XQ 的檔案與它的列',
  announcement: '公告，平台與組織的',
  webhook: 'Webhook',
  signal: '訊號',
  market: '市場資料',
  dashboard: '總覽',
  contact: '聯絡方式',
  notification: '通知',
  'notification-setting': '通知設定',
  'notification-delivery': '發送紀錄',
  'notification-channel': '通知通道',
  push: '推播',
  telegram: 'Telegram',
  line: 'LINE',
  event: '事件串流',
  hook: '訊號接收',
}

/** The whole document. */
export function openApi(version: string): OpenApi {
  const named = namedSchemas()
  const paths: OpenApi['paths'] = {}
  for (const endpoint of ENDPOINTS) {
    const path = endpoint.path.replace(/:([a-z_]+)/g, '{$1}')
    paths[path] ??= {}
    ;(paths[path] as Record<string, Operation>)[endpoint.method.toLowerCase()] = operation(endpoint, named)
  }
  paths['/hooks/{token}'] = { post: hookOperation() }
  return {
    openapi: '3.1.0',
    info: {
      title: '凌波 LingBo API',
      version,
      description:
        '每個回應都是信封 `{ error: { success, code, msg, text }, result }`。時間為 UTC（ISO 8601，含毫秒），日期為 Asia/Taipei。' +
        '除公開呼叫外都要 `Authorization: Bearer <access_token>`；以組織身份操作時帶 `LB-Org-Id`。管理者帶 `LB-View-As`，讀到的就是那位成員看到的。',
    },
    servers: [{ url: '/api/v1' }],
    tags: Object.entries(NOUNS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: {
        ...Object.fromEntries([...named].map(([text, name]) => [name, inner(JSON.parse(text), named, name)])),
        Error: errorSchema(),
      },
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  }
}

function operation(endpoint: Endpoint, named: Named): Operation {
  const { name, method, path, who, when_offline, scope, about } = endpoint
  const input = jsonSchema(endpoint.input, 'input')
  const ids = pathParameters(path)
  const properties = (input['properties'] ?? {}) as Record<string, JsonSchema>
  const required = (input['required'] ?? []) as string[]
  const parameter = (field: string, place: 'path' | 'query') => ({
    name: field,
    in: place,
    required: place === 'path' || required.includes(field),
    schema: inner(properties[field] ?? { type: 'string' }, named),
  })
  const addressed = method === 'GET' || endpoint.body === 'file'
  const query = addressed
    ? Object.keys(properties).filter((field) => !ids.includes(field) && field !== 'file')
    : []
  const parameters: JsonSchema[] = [
    ...ids.map((field) => parameter(field, 'path')),
    ...query.map((field) => parameter(field, 'query')),
    ...(who === 'public' ? [] : [ORGANIZATION]),
    ...(method === 'GET' && mayBeAsMember(endpoint) ? [VIEW_AS] : []),
    ...(method === 'GET' || who === 'public' || endpoint.reads === true ? [] : [KEY]),
  ]
  const body = method === 'GET' ? null : without(input, ids)
  return {
    operationId: name,
    summary: about,
    description: `誰可以呼叫：${who}；離線時：${when_offline === 'queue' ? '放進待送匣' : '失敗'}${scope ? `；第三方授權範圍：${scope}` : ''}`,
    tags: [name.split('.')[0] as string],
    security: who === 'public' ? [] : [{ token: [] }],
    parameters,
    ...(endpoint.body === 'image'
      ? { requestBody: IMAGE }
      : endpoint.body === 'file'
        ? { requestBody: FILE }
        : body && {
            requestBody: { required: true, content: { 'application/json': { schema: inner(body, named) } } },
          }),
    responses: responses(endpoint, named),
    'x-who': who,
    'x-when-offline': when_offline,
    ...(scope && { 'x-scope': scope }),
  }
}

function responses(endpoint: Endpoint, named: Named): Record<string, JsonSchema> {
  const refused = {
    description: '拒絕：error 說明原因',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
  if (endpoint.answer === 'stream')
    return {
      200: { description: '事件串流', content: { 'text/event-stream': { schema: { type: 'string' } } } },
      default: refused,
    }
  if (endpoint.answer === 'file')
    return {
      200: {
        description: '檔案（附件，UTF-8）',
        content: { 'application/octet-stream': { schema: { type: 'string' } } },
      },
      default: refused,
    }
  const result = inner(jsonSchema(endpoint.output, 'output'), named)
  const schema = { type: 'object', required: ['error', 'result'], properties: { error: SUCCESS, result } }
  return { 200: { description: '成功', content: { 'application/json': { schema } } }, default: refused }
}

const SUCCESS: JsonSchema = {
  type: 'object',
  required: ['success', 'code', 'msg', 'text'],
  properties: { success: { const: true }, code: { const: 0 }, msg: { const: '' }, text: { const: '' } },
}
const ORGANIZATION: JsonSchema = {
  name: 'LB-Org-Id',
  in: 'header',
  required: false,
  description: '目前的組織；沒有就是個人身份',
  schema: { type: 'string', format: 'uuid' },
}
const VIEW_AS: JsonSchema = {
  name: 'LB-View-As',
  in: 'header',
  required: false,
  description: '管理者以這位成員的身分檢視；只能讀取組織的內容',
  schema: { type: 'string', format: 'uuid' },
}
const KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `同一個鍵在 ${IDEMPOTENCY_DAYS} 天內得到同一個回應`,
  schema: { type: 'string', format: 'uuid' },
}
const FILE: JsonSchema = {
  required: true,
  content: Object.fromEntries(['application/octet-stream', 'text/csv'].map((kind) => [kind, {}])),
}
/** The bytes as they are, or as the one file of a form. */
const IMAGE: JsonSchema = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['image'],
        properties: { image: { type: 'string', contentMediaType: 'application/octet-stream' } },
      },
    },
    ...Object.fromEntries(['image/png', 'image/jpeg', 'image/webp'].map((kind) => [kind, {}])),
  },
}

function errorSchema(): JsonSchema {
  const codes = Object.entries(ERRORS).map(([code, { status, text }]) => `${code}（HTTP ${status}）${text}`)
  return {
    type: 'object',
    required: ['error', 'result'],
    properties: {
      error: {
        type: 'object',
        required: ['success', 'code', 'msg', 'text'],
        properties: {
          success: { const: false },
          code: { type: 'integer', enum: Object.keys(ERRORS).map(Number), description: codes.join('\n') },
          msg: { type: 'string' },
          text: { type: 'string' },
          fields: { type: 'object', additionalProperties: { type: 'string' } },
          missing: { type: 'string' },
          granted_by: {
            type: 'array',
            items: { type: 'object', properties: { name: { type: 'string' }, email: { type: 'string' } } },
          },
          found_in: {
            type: 'object',
            properties: { organization_id: { type: ['string', 'null'] }, name: { type: 'string' } },
          },
        },
      },
      result: { type: 'null' },
    },
  }
}

function hookOperation(): Operation {
  const answer = { 'application/json': { schema: { $ref: '#/components/schemas/HookAnswer' } } }
  const told = {
    200: '已收下、重複或略過',
    401: '密語或來源位址不符',
    404: '沒有這個網址',
    410: '已停用或已更換',
    413: '超過 64 KB',
    422: '看不懂或不合規則',
    429: '太頻繁',
    503: '暫時無法儲存',
  }
  return {
    operationId: 'hook.receive',
    summary: '接收訊號；不在 /api/v1 之下，也沒有信封',
    description: '誰可以呼叫：知道網址的人。內容可以是 JSON、表單或純文字，最多 64 KB',
    tags: ['hook'],
    security: [],
    servers: [{ url: '/' }],
    parameters: [{ name: 'token', in: 'path', required: true, schema: { type: 'string' } }],
    requestBody: { required: true, content: { '*/*': { schema: { type: 'string' } } } },
    responses: Object.fromEntries(
      Object.entries(told).map(([status, description]) => [status, { description, content: answer }]),
    ),
    'x-who': 'token',
    'x-when-offline': 'fail',
  }
}

/** JSON text of a shape → its name. */
type Named = ReadonlyMap<string, string>

function namedSchemas(): Named {
  const named = new Map<string, string>()
  for (const [name, schema] of Object.entries(shapes))
    named.set(JSON.stringify(jsonSchema(schema, 'output')), name)
  return named
}

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
  return rest
}

/** The schema with every known shape in it replaced by a reference. */
function inner(schema: JsonSchema, named: Named, own?: string): JsonSchema {
  const name = named.get(JSON.stringify(schema))
  if (name !== undefined && name !== own) return { $ref: `#/components/schemas/${name}` }
  const walk = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(walk)
      : typeof value === 'object' && value !== null
        ? inner(value as JsonSchema, named)
        : value
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, walk(value)]))
}

/** Without the fields that travel in the path, in every branch. */
function without(schema: JsonSchema, fields: readonly string[]): JsonSchema | null {
  for (const kind of ['oneOf', 'anyOf', 'allOf']) {
    const branches = schema[kind]
    if (Array.isArray(branches))
      return { ...schema, [kind]: branches.map((branch) => without(branch as JsonSchema, fields) ?? {}) }
  }
  const properties = Object.entries((schema['properties'] ?? {}) as JsonSchema).filter(
    ([field]) => !fields.includes(field),
  )
  if (properties.length === 0) return null
  const required = ((schema['required'] ?? []) as string[]).filter((field) => !fields.includes(field))
  return { ...schema, properties: Object.fromEntries(properties), required }
}
