// Reads a request's input: bounded, strictly UTF-8, shallow, and without the keys that poison prototypes.
import type { Context } from 'hono'
import type { Endpoint } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { API_BODY_BYTES, IMAGE_BYTES, JSON_DEPTH } from '#contract/limits.ts'
import { ORIGINAL_FILE_BYTES } from '#trading/original/shape.ts'

const POISON = new Set(['__proto__', 'constructor', 'prototype'])
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** A form's boundaries and headers come on top of the file. */
const FORM_BYTES = 16 * 1024
const IMAGE_KINDS = new Set(['image/png', 'image/jpeg', 'image/webp', 'application/octet-stream'])

/** Path parameters with the query (GET) or the body (others: JSON, an image in `image`, or a file in `file` beside the query) as one object. ApiError 4000, 4130, 4150. */
export async function readInput(
  c: Context,
  { body: kind }: Pick<Endpoint, 'body'>,
): Promise<Record<string, unknown>> {
  const rest =
    c.req.method === 'GET'
      ? query(c)
      : kind === 'image'
        ? await image(c)
        : kind === 'file'
          ? await file(c)
          : await body(c)
  return Object.assign(rest, c.req.param())
}

/** What a sender calls its bytes decides nothing: they are looked at where they are decoded. */
async function image(c: Context): Promise<Record<string, unknown>> {
  const type = c.req.header('content-type') ?? ''
  const kind = type.toLowerCase().split(';')[0]?.trim() ?? ''
  if (kind !== 'multipart/form-data') {
    if (!IMAGE_KINDS.has(kind)) throw new ApiError(4150, { msg: 'content-type must be an image or a form' })
    return { image: await imageBytes(c, IMAGE_BYTES) }
  }
  const bytes = await imageBytes(c, IMAGE_BYTES + FORM_BYTES)
  let files: File[]
  try {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
    files = [...form.values()].filter((value) => value instanceof File)
  } catch {
    throw new ApiError(4000, { msg: 'not a multipart form' })
  }
  if (files.length > 1) throw new ApiError(4000, { msg: 'one file only', text: '一次只能上傳一張圖片' })
  return { image: files[0] && new Uint8Array(await files[0].arrayBuffer()) }
}

/** Whatever its sender calls it: what is in it is looked at where it is read. A page of another site cannot send it unasked. */
async function file(c: Context): Promise<Record<string, unknown>> {
  const type = (c.req.header('content-type') ?? '').toLowerCase().split(';')[0]?.trim()
  if (type !== 'application/octet-stream' && type !== 'text/csv')
    throw new ApiError(4150, {
      msg: 'content-type must be application/octet-stream or text/csv',
      text: '請直接把檔案內容當成本文送出（application/octet-stream 或 text/csv）',
    })
  const fields = query(c)
  try {
    return { ...fields, file: new Uint8Array(await readBytes(c.req.raw, ORIGINAL_FILE_BYTES)) }
  } catch (error) {
    if (error instanceof ApiError && error.code === 4130)
      throw new ApiError(4130, { text: '檔案太大，最多 10 MB：請分成幾個檔案' })
    throw error
  }
}

async function imageBytes(c: Context, most: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readBytes(c.req.raw, most))
  } catch (error) {
    if (error instanceof ApiError && error.code === 4130)
      throw new ApiError(4130, { text: `圖片太大，最多 ${IMAGE_BYTES / 1024 / 1024} MB` })
    throw error
  }
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

/** The bytes of a body, at most `most` of them; ApiError 4000, 4130. */
export async function readBytes(request: Request, most: number): Promise<Uint8Array> {
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
