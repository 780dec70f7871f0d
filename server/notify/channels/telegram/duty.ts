// Of several processes with one bot only one is on duty and asks for updates: it says so again and again, and says when it stops.
import type { App } from '../../../context.ts'
import { newId } from '../../../ids.ts'
import { readFact, swapFact } from '../../facts.ts'

/** Longer than one question is held open; so long nobody asks when the holder was killed. */
const DUTY_MS = 60_000
const NAME = 'worker'
const FREE = 'free'

export class Duty {
  readonly #app: Pick<App, 'db' | 'now'>
  readonly #me = newId()

  constructor(app: Pick<App, 'db' | 'now'>) {
    this.#app = app
  }

  /** Goes on duty or stays on it; false while another process is. */
  async take(): Promise<boolean> {
    const { db } = this.#app
    const now = this.#app.now()
    const value = await readFact(db, 'telegram', NAME)
    const [until = '', holder] = (value ?? FREE).split(' ')
    if (holder !== undefined && holder !== this.#me && Date.parse(until) > now) return false
    const mine = `${new Date(now + DUTY_MS).toISOString()} ${this.#me}`
    return mine === value || swapFact(db, 'telegram', NAME, value, mine)
  }

  async release(): Promise<void> {
    const value = await readFact(this.#app.db, 'telegram', NAME)
    if (value?.endsWith(this.#me)) await swapFact(this.#app.db, 'telegram', NAME, value, FREE)
  }
}
