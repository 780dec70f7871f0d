/* A QR code as a picture: dark on white in both themes, because cameras expect it. */

import css from './forms.module.css'

/** `label` says what the code opens. Nothing for texts that are too long. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = qr(text)
  if (!rows) return null
  const size = rows.length + 8
  const path = rows
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      className={css.QrCode}
      data-theme="light"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
    >
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  )
}

// QR codes (ISO/IEC 18004) of short texts: bytes, error correction M, versions 1 to 10 (213 bytes).

/** By version from 1: codewords in all, for correction per block, blocks, and where the alignment patterns stand. */
const TOTAL = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346]
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26]
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5]
const ALIGNED = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
]

const at = (list: readonly number[], index: number): number => list[index] ?? 0

/** Product in the field of 256 elements, 0x11d. */
function times(a: number, b: number): number {
  let product: number = 0
  for (let bit = 7; bit >= 0; bit--)
    product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> bit) & 1) * a)
  return product
}

/** The codewords that correct a block (Reed–Solomon). */
function correction(block: readonly number[], count: number): number[] {
  const divisor: number[] = Array.from({ length: count }, (_, i) => (i === count - 1 ? 1 : 0))
  for (let root = 1, i = 0; i < count; i++, root = times(root, 2))
    for (let j = 0; j < count; j++) divisor[j] = times(at(divisor, j), root) ^ at(divisor, j + 1)
  const rest: number[] = Array.from({ length: count }, () => 0)
  for (const byte of block) {
    const factor = byte ^ (rest.shift() ?? 0)
    rest.push(0)
    for (const [j, term] of divisor.entries()) rest[j] = at(rest, j) ^ times(term, factor)
  }
  return rest
}

/** The text as bytes with their head, filled up, in blocks, with their correction, woven into each other. */
function codewords(bytes: Uint8Array, version: number): number[] {
  const [total, ec, blocks] = [at(TOTAL, version - 1), at(CORRECTION, version - 1), at(BLOCKS, version - 1)]
  const room = total - ec * blocks
  const bits: number[] = []
  const push = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1)
  }
  push(4, 4)
  push(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) push(byte, 8)
  push(0, Math.min(4, room * 8 - bits.length))
  push(0, -bits.length & 7)
  const data: number[] = []
  for (let i = 0; i < bits.length; i += 8) data.push(Number.parseInt(bits.slice(i, i + 8).join(''), 2))
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad)
  const short = Math.floor(room / blocks)
  const long_from = blocks - (room % blocks)
  const parts: number[][] = []
  for (let i = 0, from = 0; i < blocks; i++) {
    const length = short + (i < long_from ? 0 : 1)
    parts.push(data.slice(from, from + length))
    from += length
  }
  const woven = (rows: readonly (readonly number[])[]) =>
    Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, i) =>
      rows.flatMap((row) => row[i] ?? []),
    ).flat()
  return [...woven(parts), ...woven(parts.map((part) => correction(part, ec)))]
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** `value` with the rest of its division behind it. */
function checked(value: number, length: number, divisor: number): number {
  let rest = value
  for (let i = 0; i < length; i++) rest = (rest << 1) ^ ((rest >> (length - 1)) * divisor)
  return (value << length) | rest
}

function draw(version: number, words: readonly number[], mask: number): boolean[][] {
  const size = version * 4 + 17
  const dark = Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  const fixed = Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  const set = (x: number, y: number, on: boolean) => {
    const [row, kept] = [dark[y], fixed[y]]
    if (!row || !kept || x < 0 || x >= size) return
    row[x] = on
    kept[x] = true
  }
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0)
    set(i, 6, i % 2 === 0)
  }
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    for (let dy = -4; dy <= 4; dy++)
      for (let dx = -4; dx <= 4; dx++) {
        const far = Math.max(Math.abs(dx), Math.abs(dy))
        set(cx + dx, cy + dy, far !== 2 && far !== 4)
      }
  const aligned = ALIGNED[version - 1] ?? []
  const last = aligned.length - 1
  for (const [i, cx] of aligned.entries())
    for (const [j, cy] of aligned.entries()) {
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) continue
      for (let dy = -2; dy <= 2; dy++)
        for (let dx = -2; dx <= 2; dx++) set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1)
    }
  const format = checked(mask, 10, 0x537) ^ 0x5412
  const bit = (value: number, i: number) => ((value >> i) & 1) === 1
  for (let i = 0; i < 15; i++) {
    set(8, i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, bit(format, i))
    set(i < 8 ? size - 1 - i : i < 9 ? 15 - i : 14 - i, 8, bit(format, i))
  }
  set(8, size - 8, true)
  if (version >= 7) {
    const info = checked(version, 12, 0x1f25)
    for (let i = 0; i < 18; i++) {
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)]
      set(a, b, bit(info, i))
      set(b, a, bit(info, i))
    }
  }
  let next = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step
        const row = dark[y]
        if (!row || fixed[y]?.[x]) continue
        const on = next < words.length * 8 && bit(at(words, next >> 3), 7 - (next & 7))
        row[x] = on !== MASKS[mask]?.(x, y)
        next += 1
      }
  }
  return dark
}

/** Long runs of one colour are hard to read: the more, the worse. */
function runs(rows: readonly (readonly boolean[])[]): number {
  let worse = 0
  for (const row of rows)
    for (let i = 0, run = 0; i < row.length; i++) {
      run = i > 0 && row[i] === row[i - 1] ? run + 1 : 1
      if (run >= 5) worse += run === 5 ? 3 : 1
    }
  return worse
}

/** Rows of dark (true) and light squares, without the light border of four; null when the text is too long. */
export function qr(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text)
  const version =
    TOTAL.findIndex((total, i) => {
      const room = total - at(CORRECTION, i) * at(BLOCKS, i)
      return 4 + (i < 9 ? 8 : 16) + bytes.length * 8 <= room * 8
    }) + 1
  if (version === 0) return null
  const words = codewords(bytes, version)
  const all = MASKS.map((_, mask) => draw(version, words, mask))
  const turned = (rows: boolean[][]) => rows.map((_, x) => rows.map((row) => row[x] === true))
  const cost = all.map((rows) => runs(rows) + runs(turned(rows)))
  return all[cost.indexOf(Math.min(...cost))] ?? null
}
