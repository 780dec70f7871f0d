// Are two kinds of samples taken in turns the same? Difference of medians, and Wilcoxon's signed-rank test over the pairs.
import { percentile, round } from './figures.ts'

export interface Compared {
  known_ms: number
  unknown_ms: number
  /** Median of the one less median of the other. */
  difference_ms: number
  p: number
  /** What threat T16 allows: less than 2 ms, and no order that chance would not bring about once in a hundred times. */
  alike: boolean
}

const MOST_MS = 2
const LEAST_P = 0.01

/** Pairs stand at the same place in both lists. */
export function compareRanks(known: readonly number[], unknown: readonly number[]): Compared {
  const [a, b] = [percentile(known, 0.5), percentile(unknown, 0.5)]
  const p = signedRank(known.map((one, i) => one - (unknown[i] as number)))
  const difference = a - b
  return {
    known_ms: round(a),
    unknown_ms: round(b),
    difference_ms: round(difference),
    p: Math.round(p * 10_000) / 10_000,
    alike: Math.abs(difference) < MOST_MS && p > LEAST_P,
  }
}

/** Two-sided p; with hundreds of pairs the sum of ranks is as good as normal. */
export function signedRank(differences: readonly number[]): number {
  const ranked = differences.filter((one) => one !== 0).sort((x, y) => Math.abs(x) - Math.abs(y))
  const n = ranked.length
  if (n === 0) return 1
  const above = ranked.reduce((sum, one, i) => (one > 0 ? sum + i + 1 : sum), 0)
  const mean = (n * (n + 1)) / 4
  const deviation = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24)
  return 2 * (1 - normal(Math.abs(above - mean) / deviation))
}

/** The normal distribution function (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function normal(x: number): number {
  const k = 1 / (1 + 0.2316419 * x)
  const tail = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = tail.reduce((total, factor, i) => total + factor * k ** (i + 1), 0)
  return 1 - (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum
}
