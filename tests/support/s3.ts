// A store that speaks as much S3 as pictures need. It checks each signature by itself, from the published rules (SigV4), not with the
// client's code; an order whose body is not the signed one, or that is fifteen minutes old, is refused as the real one does.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3 {
  /** As STORAGE_URL names it. */
  readonly url: string
  /** Name → bytes. */
  readonly objects: Map<string, Buffer>
  /** When an object was put there, in milliseconds; now when absent. */
  readonly times: Map<string, number>
  /** What was refused, and why. */
  readonly refused: string[]
  /** Answers everything with this status while it is set. */
  broken: number | null
  close(): Promise<void>
}

const [KEY, SECRET, REGION, BUCKET] = ['AKLINGBO', 'geheim/mit+Zeichen', 'ap-northeast-1', 'pictures']
/** So many a page: a list goes on over several. */
const PAGE = 2

const sha = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** What is wrong with an order's signature; null when it holds. */
function wrong(request: IncomingMessage, body: Buffer): string | null {
  const header = (name: string) => String(request.headers[name] ?? '')
  const [, credential = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header('authorization'),
    ) ?? []
  const [key, day = '', region, service, end] = credential.split('/')
  if (key !== KEY || region !== REGION || service !== 's3' || end !== 'aws4_request') return 'credential'
  if (header('x-amz-content-sha256') !== sha(body)) return 'body'
  const at = header('x-amz-date')
  const instant = Date.parse(at.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'))
  if (!at.startsWith(day) || !(Math.abs(Date.now() - instant) < 900_000)) return 'time'
  const signed = names.split(';')
  if (!signed.includes('host') || !signed.includes('x-amz-content-sha256') || !signed.includes('x-amz-date'))
    return 'headers'
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3')
  const path = pathname
    .split('/')
    .map((part) => encoded(decodeURIComponent(part)))
    .join('/')
  const query = [...searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
  const headers = signed.map((name) => `${name}:${header(name).trim().replace(/ +/g, ' ')}\n`).join('')
  const canonical = [request.method, path, query, headers, names, sha(body)].join('\n')
  const scope = `${day}/${REGION}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', at, scope, sha(canonical)].join('\n')
  const made = hmac(hmac(hmac(hmac(hmac(`AWS4${SECRET}`, day), REGION), 's3'), 'aws4_request'), text)
  return timingSafeEqual(made, Buffer.from(signature, 'hex')) ? null : 'signature'
}

export async function startS3(): Promise<S3> {
  const objects = new Map<string, Buffer>()
  const times = new Map<string, number>()
  const refused: string[] = []
  const list = (query: URLSearchParams) => {
    const prefix = query.get('prefix') ?? ''
    const names = [...objects.keys()].filter((name) => name.startsWith(prefix)).sort()
    // As the real one's: behind a name, whatever was deleted meanwhile.
    const from = names.findIndex((name) => name > (query.get('continuation-token') ?? ''))
    const page = from < 0 ? [] : names.slice(from, from + PAGE)
    const rows = page.map((name) => {
      const at = new Date(times.get(name) ?? Date.now()).toISOString()
      return `<Contents><Key>${name}</Key><LastModified>${at}</LastModified></Contents>`
    })
    const more = names.indexOf(page.at(-1) ?? '') < names.length - 1
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return `<?xml version="1.0"?><ListBucketResult>${rows.join('')}${next}</ListBucketResult>`
  }
  const http = createServer(async (request, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const fault = wrong(request, body)
    if (fault !== null) refused.push(`${request.method} ${fault}`)
    if (s3.broken !== null || fault !== null) return void answer.writeHead(s3.broken ?? 403).end('<Error/>')
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3')
    const [, bucket, ...rest] = pathname.split('/').map(decodeURIComponent)
    const name = rest.join('/')
    if (bucket !== BUCKET) return void answer.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>')
    if (name === '' && request.method === 'GET') return void answer.writeHead(200).end(list(searchParams))
    if (request.method === 'PUT') objects.set(name, body)
    const found = objects.get(name)
    if (request.method === 'DELETE') {
      objects.delete(name)
      return void answer.writeHead(204).end()
    }
    if (!found) return void answer.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    answer.writeHead(200).end(request.method === 'PUT' ? '' : found)
  })
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  const { port } = http.address() as AddressInfo
  const s3: S3 = {
    url: `http://${KEY}:${encoded(SECRET)}@127.0.0.1:${port}/${BUCKET}/lingbo?region=${REGION}`,
    ...{ objects, times, refused, broken: null },
    close: () =>
      new Promise((done) => {
        http.close(() => done())
        http.closeAllConnections()
      }),
  }
  return s3
}
