// Tar as every system reads it (ustar), written and read piece by piece: no entry but the one at hand is in memory.
const BLOCK = 512
/** Ours are far smaller; what claims more is no backup of ours. */
const ENTRY_MOST = 256 * 1024 * 1024

/** Its end is missing. */
export const CUT_OFF = 'tar: cut off'

export interface TarEntry {
  readonly path: string
  readonly data: Buffer
}

/** The bytes of one entry. */
export function tarEntry({ path, data }: TarEntry, at_ms: number): Buffer {
  const name = Buffer.from(path)
  if (name.length > 100) throw new Error(`tar: name too long: ${path}`)
  const head = Buffer.alloc(BLOCK)
  const octal = (value: number, from: number, size: number) =>
    head.write(`${value.toString(8).padStart(size - 1, '0')}\0`, from)
  name.copy(head)
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(data.length, 124, 12)
  octal(Math.floor(at_ms / 1_000), 136, 12)
  head.write('        0', 148)
  head.write('ustar\x0000', 257)
  let sum = 0
  for (const byte of head) sum += byte
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([head, data, Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK)])
}

/** What stands after the last entry. */
export const TAR_END: Buffer = Buffer.alloc(2 * BLOCK)

/** The entries of a tar in order; throws when it ends in the middle of one. */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry & { raw: Buffer }> {
  let held = Buffer.alloc(0)
  let parts: Buffer[] = []
  let size = 0
  const source = chunks[Symbol.asyncIterator]()
  const take = async (wanted: number): Promise<Buffer> => {
    parts = [held]
    size = held.length
    while (size < wanted) {
      const { value, done } = await source.next()
      if (done) throw new Error(CUT_OFF)
      parts.push(value)
      size += value.length
    }
    const all = parts.length === 1 ? held : Buffer.concat(parts)
    held = all.subarray(wanted)
    return all.subarray(0, wanted)
  }
  for (;;) {
    const head = await take(BLOCK)
    if (head.every((byte) => byte === 0)) {
      // What comes after is looked at by whoever unpacks: a shortened file shows only there.
      while (!(await source.next()).done);
      return
    }
    const text = (from: number, to: number) => head.toString('latin1', from, to).replace(/\0.*$/s, '')
    const length = Number.parseInt(text(124, 136), 8)
    if (text(257, 262) !== 'ustar' || !(length >= 0 && length <= ENTRY_MOST))
      throw new Error('tar: not one of ours')
    const body = await take(Math.ceil(length / BLOCK) * BLOCK)
    yield { path: text(0, 100), data: body.subarray(0, length), raw: Buffer.concat([head, body]) }
  }
}
