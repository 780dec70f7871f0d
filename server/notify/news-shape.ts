// What is to be told to one person, and some of what an event is to many.
import type { BellState } from '../access/bell.ts'
import type { Matter } from './decide.ts'

/** One thing for one person. */
export interface News {
  readonly uid: string
  /** The same thing is told once. */
  readonly key: string
  readonly matter: Matter
  readonly bell: BellState | null
  readonly organization_id: string | null
  readonly signal_id: string | null
  readonly announcement_id?: string
  readonly title: string
  readonly body: string
  readonly link: string
  /** A letter of its own says it already: mail says it no second time. */
  readonly posted?: true
  /** Only the inbox has it: too old to alarm anybody. */
  readonly silent: boolean
}

/** Some of the news of an event; `next` goes into the next call for the others, null when these were the last. */
export interface NewsPart {
  readonly news: readonly News[]
  readonly next: string | null
}
