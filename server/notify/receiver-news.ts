// How receivers are doing, as tries tell it: when one last worked, why it did not. Nothing depends on it, so it is gathered and
// written a moment later: what was sent is written down first.
import type { App } from '../context.ts'
import { bulkUpdate, runBulkAlone } from '../db/bulk.ts'
import type { Ended } from './channel.ts'

const NEWS = bulkUpdate(
  'channel_receivers',
  { id: 'text', last_ok_at: 'text', state: 'text', reason: 'text' },
  {
    ...{ id: 'id', key: 'id' },
    how: {
      last_ok_at: (column, given) => `coalesce(${given}, ${column})`,
      state: (column, given) => `coalesce(${given}, ${column})`,
    },
    // Blocked or gone meanwhile: that is newer.
    only: "channel_receivers.state in ('bound', 'failing')",
  },
)
interface News {
  readonly last_ok_at: string | null
  readonly state: 'bound' | null
  readonly reason: string | null
}

const WAIT_MS = 1_000

export class ReceiverNews {
  readonly #app: Pick<App, 'db' | 'log'>
  #news = new Map<string, News>()
  #writing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(app: Pick<App, 'db' | 'log'>) {
    this.#app = app
  }

  /** What a try says of the receiver. */
  note(id: string, result: Ended, now_ms: number): void {
    if (result.kind === 'sent')
      this.#news.set(id, { last_ok_at: new Date(now_ms).toISOString(), state: 'bound', reason: null })
    else if (result.kind === 'again') {
      const last_ok_at = this.#news.get(id)?.last_ok_at ?? null
      this.#news.set(id, { last_ok_at, state: null, reason: result.reason })
    } else return
    this.#timer ??= setTimeout(() => void this.flush(), WAIT_MS)
  }

  /** Writes what there is. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const rows = [...this.#news].map(([id, news]) => ({ id, ...news }))
    this.#news = new Map()
    if (rows.length > 0)
      this.#writing = this.#writing
        .then(() => runBulkAlone(this.#app.db, NEWS, rows))
        .then(
          () => undefined,
          // The next try says it again.
          (error: unknown) => this.#app.log.error({ err: error }, 'notify: cannot note how receivers are'),
        )
    return this.#writing
  }
}
