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
