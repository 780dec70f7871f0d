// Where the bytes of pictures lie: the folder DATA_DIR/files, or a store that speaks S3 (STORAGE_URL), so that several machines share no
// folder. What lies in the folder from before is found, and moves into the store bit by bit (server/file/sweep.ts).
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { ApiError } from '#contract/errors.ts'
import type { Config } from '../config.ts'

type Place = { readonly config: Pick<Config, 'data_dir' | 'storage'> }
type Store = NonNullable<Config['storage']>

/** So long the store may take for one picture. */
const PATIENCE_MS = 10_000
/** A picture is a few hundred kilobytes: whoever brought it waits for no more than one more try. */
const RETRIES = 1

/** Names this server gives: pictures of people and organizations, and of notes. */
const OURS = /^[0-9a-f]{40}(\.note)?\.webp$/

const folderOf = ({ config }: Place) => join(config.data_dir, 'files')

/** Writes a picture whole or not at all. ApiError 5030 where the store does not take it. */
export async function putPicture(place: Place, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const { storage } = place.config
  if (storage !== null) {
    await ask(storage, 'PUT', name, { body: bytes, type: 'image/webp' })
    return
  }
  const path = join(folderOf(place), name)
  await mkdir(folderOf(place), { recursive: true, mode: 0o700 })
  await writeFile(`${path}.part`, bytes, { mode: 0o600, flush: true })
  await rename(`${path}.part`, path)
}

/** Its bytes; null when it is nowhere. The folder first: one that moves is in the store before it leaves. */
export async function getPicture(place: Place, name: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await readFile(join(folderOf(place), name)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const { storage } = place.config
  const answer = storage && (await ask(storage, 'GET', name))
  return answer?.ok ? new Uint8Array(await answer.arrayBuffer()) : null
}

/** Takes it away wherever it lies. */
export async function removePicture(place: Place, name: string): Promise<void> {
  await rm(join(folderOf(place), name), { force: true })
  if (place.config.storage !== null) await ask(place.config.storage, 'DELETE', name)
}

/** A picture of the folder goes into the store; without one it stays. */
export async function movePicture(place: Place, name: string): Promise<void> {
  if (place.config.storage === null) return
  const path = join(folderOf(place), name)
  await putPicture(place, name, new Uint8Array(await readFile(path)))
  await rm(path, { force: true })
}

/** What lies in the store, page by page: names and since when. */
export async function* storedPictures({
  config: { storage },
}: Place): AsyncGenerator<{ name: string; at_ms: number }[]> {
  for (let token: string | null = ''; storage !== null && token !== null; ) {
    const query = new URLSearchParams({ 'list-type': '2', prefix: storage.prefix })
    if (token !== '') query.set('continuation-token', token)
    const text = await (await ask(storage, 'GET', null, { query })).text()
    const value = (of: string, tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(of)?.[1]
    const all = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, one = '']) => ({
      name: (value(one, 'Key') ?? '').slice(storage.prefix.length),
      at_ms: Date.parse(value(one, 'LastModified') ?? ''),
    }))
    // What else lies in the bucket is not ours to look at.
    yield all.filter(({ name }) => OURS.test(name))
    token = value(text, 'NextContinuationToken') ?? null
  }
}

/** One call to the store: signed over its body, too. 404 is an answer, everything else that is not 2xx a fault of the storage's. */
async function ask(
  storage: Store,
  method: 'GET' | 'PUT' | 'DELETE',
  name: string | null,
  more: { body?: Uint8Array<ArrayBuffer>; type?: string; query?: URLSearchParams } = {},
): Promise<Response> {
  const { endpoint, bucket, prefix, region, key, secret } = storage
  const aws = new AwsClient({
    ...{ accessKeyId: key, secretAccessKey: secret, region, service: 's3', retries: RETRIES },
  })
  const path = name === null ? '' : `/${prefix}${name}`
  const hash = createHash('sha256')
    .update(more.body ?? '')
    .digest('hex')
  try {
    const answer = await aws.fetch(`${endpoint}/${bucket}${path}${more.query ? `?${more.query}` : ''}`, {
      method,
      body: more.body ?? null,
      headers: { 'x-amz-content-sha256': hash, ...(more.type && { 'content-type': more.type }) },
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (answer.ok || (answer.status === 404 && method !== 'PUT' && name !== null)) return answer
    throw new Error(`${answer.status} to ${method}`)
  } catch (error) {
    const msg = error instanceof Error ? `STORAGE_URL: ${error.message}` : 'STORAGE_URL'
    throw new ApiError(5030, { text: '圖片存放處沒有回應，請稍後再試', msg })
  }
}
