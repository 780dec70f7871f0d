// What a run of very many deliveries is asked for, and what it says.
import type { ManyChannel } from './many-sink.ts'

export interface Scenario {
  /** Members of one organization, each with a receiver of their own. */
  readonly people: number
  readonly signals: number
  /** A process dies so often, and is started again. */
  readonly kill_every_ms: number
  /** Share of requests that fail: 429, 500, 503, a cut connection, no answer. */
  readonly faults: number
  /** Receivers that answer 410 to everything. */
  readonly gone: number
  /** Members whose access ends after half of the signals. */
  readonly leaving: number
  /** Share of the pushes that a device says it showed. */
  readonly shows: number
}

export interface Result {
  readonly planned: number
  /** Those of receivers that do not answer 410 to everything. */
  readonly planned_well: number
  readonly confirmed: number
  readonly dead: number
  readonly skipped: number
  /** Dead or skipped without saying why, or in no final state. */
  readonly unexplained: number
  /** Taken by the receiver more often than once, and how many of them over which channel. */
  readonly twice: number
  readonly twice_by: Readonly<Record<ManyChannel, number>>
  /** In how many messages that came twice under one id they were: one may tell of several. */
  readonly twice_messages: number
  /** Of those the ones that came under different ids: a receiver that looks at ids would take them for new. */
  readonly twice_anew: number
  /** What was planned over each channel. */
  readonly planned_by: Readonly<Record<ManyChannel, number>>
  /** Signals of a person for which both rang: the device had said nothing in time. */
  readonly both: number
  /** LINE rang although the device had said before that it showed it. */
  readonly after_shown: number
  readonly to_others: number
  /** Confirmed, but never received. */
  readonly never: number
  readonly after_end: number
  readonly kills: number
  readonly seconds: number
}
