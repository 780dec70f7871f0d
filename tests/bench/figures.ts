// Medians and percentiles, said in one line and kept as JSON.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The value below which `share` (0–1) of the samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export interface Spread {
  median: number
  min: number
  max: number
  runs: number
}

/** Median with range over runs. */
export function spread(values: readonly number[], digits = 2): Spread {
  return {
    median: round(percentile(values, 0.5), digits),
    min: round(Math.min(...values), digits),
    max: round(Math.max(...values), digits),
    runs: values.length,
  }
}

/** To so many decimals. */
export function round(value: number, digits = 2): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}

/** `median [min–max]`. */
export function shown({ median, min, max }: Spread, unit = ''): string {
  const figure = (value: number) => value.toLocaleString('en-US')
  return `${figure(median)} [${figure(min)}–${figure(max)}]${unit && ` ${unit}`}`
}

/** Prints the line and keeps the result under node_modules/.cache/bench/<name>.json. */
export function report(name: string, line: string, result: unknown): void {
  const folder = join(import.meta.dirname, '../../node_modules/.cache/bench')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`)
  process.stdout.write(`${name}: ${line}\n`)
}

/** Microseconds of processor a process has used; where there is no /proc, nothing is known. */
export function used(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    // Hundredths of a second, in user and in system mode.
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    // Not Linux.
    return Number.NaN
  }
}
