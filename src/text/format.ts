/* How numbers, money and times are written: one place to import from. */

/** What privacy mode shows for money. */
export const MASK = '••••'

export {
  bytes,
  decimals,
  fixed,
  grouped,
  minus,
  ntd,
  number,
  percent,
  position,
  price,
  ratio,
  shares,
  shifted,
  signed,
  signedPercent,
  wan,
} from '#trading/written.ts'
export {
  ago,
  dayTitle,
  full,
  held,
  hm,
  hms,
  hmsMs,
  type Instant,
  lasting,
  late,
  latency,
  md,
  mdHm,
  mdHms,
  taipei,
  when,
  ymd,
} from './time.ts'

// A sentence put together from names: between a CJK word and a Latin one or a figure stands a space, between two CJK words none.

const WORD = /[\p{L}\p{N}@%()]/u
const HAN = /\p{Script=Han}/u

/** 用 Telegram 通知我，用推播通知我; 已連結推播、Discord，但是…. */
export const joined = (...parts: readonly string[]): string =>
  parts.reduce((said, part) => {
    const [last = '', first = ''] = [Array.from(said).at(-1), Array.from(part)[0]]
    const apart = WORD.test(last) && WORD.test(first) && !(HAN.test(last) && HAN.test(first))
    return `${said}${apart ? ' ' : ''}${part}`
  }, '')
