// Reads a request's input: bounded, strictly UTF-8, shallow, and without the keys that poison prototypes.
import type { Context } from 'hono'
import { ApiError } from '#contract/errors.ts'
import { API_BODY_BYTES, JSON_DEPTH } from '#contract/limits.ts'

const POISON = new Set(['__proto__', 'constructor', 'prototype'])
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Path parameters with the query (GET) or the JSON body (others) as one object. ApiError 4000, 4130, 4150. */
export async function readInput(c: Context): Promise<Record<string, unknown>> {
  const rest = c.req.method === 'GET' ? query(c) : await body(c)
  return Object.assign(rest, c.req.param())
}

function query(c: Context): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(c.req.query())) {
    if (POISON.has(name)) throw new ApiError(4000, { msg: `key ${name} is not accepted` })
    fields[name] = value
  }
  return fields
}

async function body(c: Context): Promise<Record<string, unknown>> {
  const bytes = await readBytes(c.req.raw, API_BODY_BYTES)
  if (bytes.length === 0) return {}
  const [kind = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(';')
  if (kind.trim() !== 'application/json')
    throw new ApiError(4150, { text: '請以 JSON 格式送出', msg: 'content-type must be application/json' })
  if (c.req.header('content-encoding')) throw new ApiError(4150, { msg: 'content-encoding is not accepted' })
  return parseObject(bytes)
}

/** The JSON object in the bytes; ApiError 4000 for anything else. */
export function parseObject(bytes: Uint8Array): Record<string, unknown> {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new ApiError(4000, { msg: 'body is not UTF-8' })
  }
  if (isDeep(text)) throw new ApiError(4000, { msg: `nested deeper than ${JSON_DEPTH}` })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiError(4000, { msg: 'body is not JSON' })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError(4000, { msg: 'body is not a JSON object' })
  refusePoison(value)
  return value as Record<string, unknown>
}

/** Counted on the text, before anything recursive touches it. */
function isDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quoted) {
      if (code === 92) i++
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if (code === 123 || code === 91) {
      if (++depth > JSON_DEPTH) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}

function refusePoison(value: object): void {
  for (const [key, inner] of Object.entries(value)) {
    if (POISON.has(key)) throw new ApiError(4000, { msg: `key ${key} is not accepted` })
    if (typeof inner === 'object' && inner !== null) refusePoison(inner)
  }
}

async function readBytes(request: Request, most: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array(0)
  if (Number(request.headers.get('content-length') ?? 0) > most) throw new ApiError(4130)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > most) throw new ApiError(4130)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError(4000, { msg: 'body was cut off' })
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
}
