// GET /api/v1/events: server-sent events with an opaque cursor, resumed from the table, ended with the session.
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { ApiError } from '#contract/errors.ts'
import { type AppEvent, eventStream } from '#contract/events.ts'
import { HEARTBEAT_MS, STREAMS_PER_USER } from '#contract/limits.ts'
import { addDays, instantOf, taipei } from '#trading/calendar.ts'
import { identify, mayHear, scopesOf } from '../access/actor.ts'
import type { App } from '../context.ts'
import { heads } from '../db/lineage.ts'
import { failure, refusal, respond } from '../http/answer.ts'
import { type Route, whoOf } from '../http/handle.ts'
import { Feeder } from './feeder.ts'
import { readCursor, writeCursor } from './read.ts'

/** What may wait for a slow reader; the rest stays in the table until it has caught up. */
const BUFFER_BYTES = 256 * 1024
/** A reader that has not taken anything for so many heartbeats is cut off; it comes back with its cursor. */
const STALLED_BEATS = 2
/** Every third heartbeat the session and the scopes are looked at again: another process may have ended them. */
const CHECK_EVERY = 3
const RETRY_MS = 1_000
/** setTimeout takes no more. */
const TIMER_MOST_MS = 2 ** 31 - 1

const open = new Map<string, number>()

export function eventRoutes(app: App): Route[] {
  return [
    {
      endpoint: eventStream,
      async fetch(c) {
        try {
          // HEAD comes here, too: a stream that nobody reads would never end, and count among the person's.
          if (c.req.method !== 'GET') throw new ApiError(4050)
          return await stream(app, c)
        } catch (error) {
          return respond(refusal(failure(app, error, eventStream.name)), undefined)
        }
      },
    },
  ]
}

/** Where the person's stream stands now, as a cursor: whatever is read after this has everything before it. */
export async function placeOf(app: App, uid: string): Promise<string> {
  const scopes = [...(await scopesOf(app, uid)).keys()]
  return writeCursor(await heads(app.db, scopes), app.lineage.id)
}

async function stream(app: App, c: Context): Promise<Response> {
  const { claims, actor } = await identify(app, whoOf(c.req.raw.headers), eventStream)
  await app.limits.take('streams', actor.uid)
  const count = open.get(actor.uid) ?? 0
  if (count >= STREAMS_PER_USER)
    throw new ApiError(4290, { retry_after_s: 30, text: '同時開啟的畫面太多，請關閉幾個' })
  open.set(actor.uid, count + 1)
  const last_id = c.req.header('last-event-id') ?? ''
  const from = last_id === '' ? null : readCursor(last_id)

  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let ended = false
  let stalled = 0
  let wake: (() => void)[] = []
  const ends: (() => void)[] = []
  const room = () => ended || (controller?.desiredSize ?? 0) > 0
  const feeder = new Feeder(app, actor.uid, {
    send: (event, cursor) => {
      if (mayHear(actor, event.kind)) write(frame(event, writeCursor(cursor, app.lineage.id)))
    },
    room,
    drained: () => (room() ? Promise.resolve() : new Promise((resolve) => wake.push(resolve))),
  })

  function end(how: 'close' | 'cut' | 'gone'): void {
    if (ended) return
    ended = true
    feeder.close()
    for (const undo of ends) undo()
    wakeUp()
    const left = (open.get(actor.uid) ?? 1) - 1
    if (left > 0) open.set(actor.uid, left)
    else open.delete(actor.uid)
    if (how === 'close') controller?.close()
    // Drops what waits, and the connection with it.
    if (how === 'cut') (c.env as HttpBindings).outgoing.destroy()
  }
  function wakeUp(): void {
    stalled = 0
    const waiting = wake
    wake = []
    for (const resolve of waiting) resolve()
  }
  function write(text: string): void {
    if (!ended) controller?.enqueue(Buffer.from(text))
  }
  async function check(): Promise<void> {
    await identify(app, whoOf(c.req.raw.headers), eventStream)
    await feeder.refreshScopes()
    await feeder.catchUp()
  }
  async function begin(): Promise<void> {
    try {
      await feeder.start(from, last_id !== '' && from === null)
      // An id of its own: the reader has a cursor before the first event.
      write(`: cursor\nid: ${writeCursor(feeder.cursor, app.lineage.id)}\n\n`)
    } catch (error) {
      failure(app, error, eventStream.name)
      end('cut')
    }
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(made) {
        controller = made
        const life = setTimeout(() => end('close'), Math.min(TIMER_MOST_MS, claims.exp * 1_000 - app.now()))
        let beats = 0
        const beat = setInterval(() => {
          if (!room() && ++stalled >= STALLED_BEATS) return end('cut')
          if (room()) write(':\n\n')
          // Whatever the check finds wrong, the reader hears it when it comes back.
          if (++beats % CHECK_EVERY === 0) check().catch(() => end('close'))
        }, HEARTBEAT_MS)
        // Access begins and ends with days (ruling A9).
        let midnight = setTimeout(function pass() {
          check().catch(() => end('close'))
          midnight = setTimeout(pass, untilMidnight(app.now()))
        }, untilMidnight(app.now()))
        ends.push(
          () => clearTimeout(midnight),
          app.events.onSessionEnd(actor.sid, () => end('close')),
          () => clearTimeout(life),
          () => clearInterval(beat),
        )
        write(`: connected\nretry: ${RETRY_MS}\n\n`)
        void begin()
      },
      pull: wakeUp,
      cancel: () => end('gone'),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
  )
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    },
  })
}

/** Milliseconds until the next day begins in Taipei. */
function untilMidnight(now_ms: number): number {
  const { date } = taipei(new Date(now_ms).toISOString())
  return Date.parse(instantOf(addDays(date, 1), '00:00')) - now_ms
}

/** The data line is the same for everybody: written once per event. */
const lines = new WeakMap<AppEvent, string>()

function frame(event: AppEvent, id: string): string {
  let line = lines.get(event)
  if (line === undefined) {
    line = `event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`
    lines.set(event, line)
  }
  return `id: ${id}\n${line}`
}
