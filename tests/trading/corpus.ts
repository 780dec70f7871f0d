// The corpus of other people's messages: each with what its own document means by it, and the judge of a reading.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type {
  PayloadFormat,
  PayloadInput,
  PayloadStrategy,
  ReadOutcome,
  ReadSignal,
} from '#trading/reader/shape.ts'
import type { Flag } from '#trading/record.ts'

/** What an accepted message must have become; only the listed keys are compared. */
export type WantedSignal = Pick<ReadSignal, 'symbol' | 'action'> &
  Partial<ReadSignal> & { flags?: readonly Flag[] }
/** Accepted as this signal, refused with one of these codes, or understood as no signal at all. */
export type Alternative =
  | { signal: WantedSignal }
  | { refused: string | readonly string[]; field?: string }
  | { ignored: 'test' | 'not_a_trade' | 'heartbeat' }
export type Expectation = Alternative | { either: readonly Alternative[] }

export interface CorpusEntry {
  name: string
  /** A preset of strategies.json, or one with some settings changed. */
  strategy: string | ({ on: string } & Partial<PayloadStrategy>)
  format?: PayloadFormat
  body: string
  received_at?: string
  /** An ordinary order in the sense of domain §4.8: of these at least nine in ten are read. */
  ordinary?: boolean
  /** Not changed at random: its meaning hangs on a leaf of which the mutations' judge knows nothing. */
  as_it_stands?: boolean
  expect: Expectation
  why?: string
}
export type CorpusCase = CorpusEntry & { source: string; path: string }

/** A reader as the judge sees it: the product's own, or one that must be caught. */
export type Reader = (input: PayloadInput) => ReadOutcome
export type Verdict = 'right' | 'refused' | 'misread'

const ROOT = new URL('../fixtures/webhooks/', import.meta.url)
const RECEIVED = '2026-11-20T01:15:02.000Z'
const PRESETS = JSON.parse(readFileSync(new URL('strategies.json', ROOT), 'utf8')) as Record<
  string,
  PayloadStrategy
>

let all: readonly CorpusCase[] | undefined

/** Every body of every source. */
export function corpus(): readonly CorpusCase[] {
  all ??= readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: source }) => entriesOf(source))
  return all
}

function entriesOf(source: string): CorpusCase[] {
  const file = new URL(`${source}/corpus.jsonl`, ROOT)
  // a source may hold only fixtures of fixtures.ts
  if (!existsSync(file)) return []
  return linesOf<CorpusEntry>(file).map((entry) => ({ ...entry, source, path: `${source}: ${entry.name}` }))
}

/** The cases of a file, one a line. */
export function linesOf<T>(file: URL): T[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T)
}

/** The settings an entry is read under. */
export function strategyOf({ strategy }: CorpusEntry): PayloadStrategy {
  const { on, ...changes } = typeof strategy === 'string' ? { on: strategy } : strategy
  const preset = PRESETS[on]
  if (!preset) throw new Error(`no preset called ${on}`)
  return { ...preset, ...changes }
}

/** The entry as readPayload's input; a mutation brings a body of its own. */
export function inputFor(entry: CorpusEntry, body: string = entry.body): PayloadInput {
  return {
    body,
    format: entry.format ?? 'auto',
    mapping: null,
    unparsed_rule: null,
    received_at: entry.received_at ?? RECEIVED,
    strategy: strategyOf(entry),
  }
}

export function alternativesOf(expect: Expectation): readonly Alternative[] {
  return 'either' in expect ? expect.either : [expect]
}

/** The facts a wrong position comes from; a difference in any of them is a misreading. */
const POSITION = ['symbol', 'contract', 'action', 'quantity', 'target_position', 'price'] as const

/**
 * misread: accepted as something else than meant, or accepted where it had to be refused or ignored.
 * refused: not accepted though it is an order; that is safe, and counts against the nine in ten.
 */
export function judge(entry: Pick<CorpusEntry, 'expect'>, outcome: ReadOutcome): Verdict {
  const wanted = alternativesOf(entry.expect)
  if (outcome.kind === 'signal')
    return wanted.some((one) => 'signal' in one && samePosition(one.signal, outcome.signal))
      ? 'right'
      : 'misread'
  return wanted.every((one) => 'signal' in one) ? 'refused' : 'right'
}

function samePosition(wanted: WantedSignal, got: ReadSignal): boolean {
  // A target's quantity is only shown: the position it ends in decides.
  const keys = wanted.action === 'target' ? POSITION.filter((key) => key !== 'quantity') : POSITION
  return keys.every((key) => wanted[key] === undefined || wanted[key] === got[key])
}

/** What keeps an outcome from being exactly what the entry says; empty when nothing does. */
export function differences(entry: Pick<CorpusEntry, 'expect'>, outcome: ReadOutcome): string[] {
  const each = alternativesOf(entry.expect).map((one) => differsFrom(one, outcome))
  const best = each.sort((a, b) => a.length - b.length)[0] ?? []
  return best
}

function differsFrom(wanted: Alternative, outcome: ReadOutcome): string[] {
  const got = summary(outcome)
  if ('ignored' in wanted)
    return got === `ignored ${wanted.ignored}` ? [] : [`not ignored as ${wanted.ignored}: ${got}`]
  if ('refused' in wanted) {
    const codes = [wanted.refused].flat()
    // Which reason comes first is the reader's where several rules refuse.
    if (outcome.kind === 'rejected' && wanted.refused === 'any') return []
    if (outcome.kind !== 'rejected' || !codes.includes(outcome.reason_code))
      return [`not refused as ${codes.join(' or ')}: ${got}`]
    if (wanted.field !== undefined && wanted.field !== outcome.field)
      return [`the reason names ${outcome.field}, not ${wanted.field}`]
    return []
  }
  if (outcome.kind !== 'signal') return [`not accepted: ${got}`, '']
  const { flags, ...facts } = wanted.signal
  const wrong = (Object.entries(facts) as [keyof ReadSignal, unknown][])
    .filter(([key, value]) => outcome.signal[key] !== value)
    .map(
      ([key, value]) => `${key}: ${JSON.stringify(outcome.signal[key])} instead of ${JSON.stringify(value)}`,
    )
  const [have, want] = [[...outcome.flags].sort().join(), [...(flags ?? [])].sort().join()]
  return flags !== undefined && have !== want
    ? [...wrong, `flags: ${have || 'none'} instead of ${want || 'none'}`]
    : wrong
}

/** An outcome in a few words. */
export function summary(outcome: ReadOutcome): string {
  if (outcome.kind === 'heartbeat') return 'ignored heartbeat'
  if (outcome.kind === 'ignored') return `ignored ${outcome.reason_code}`
  if (outcome.kind === 'rejected')
    return `refused ${outcome.reason_code} (${outcome.field}): ${outcome.reason}`
  const { symbol, contract, action, quantity, target_position, price } = outcome.signal
  const target = target_position === null ? '' : ` to ${target_position}`
  return `accepted ${action}${target} ${quantity ?? 'all'} ${symbol}${contract ? `/${contract}` : ''} @ ${price} [${outcome.flags.join()}]`
}

export interface Judged {
  entry: CorpusCase
  outcome: ReadOutcome
  verdict: Verdict
  differences: string[]
}

/** The whole corpus through a reader. */
export function judgeCorpus(read: Reader): Judged[] {
  return corpus().map((entry) => {
    const outcome = read(inputFor(entry))
    return { entry, outcome, verdict: judge(entry, outcome), differences: differences(entry, outcome) }
  })
}
