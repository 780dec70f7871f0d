// Senders that post numbered signals as fast as they are answered, until the server is killed under them.
import { Sender } from '#tests/bench/wire.ts'

/** Taken messages after which there is something to lose. */
const ENOUGH = 32

export interface Onslaught {
  /** Ids answered with 2xx. */
  acknowledged: Set<string>
  /** Bodies sent whose answer never came, by id. */
  unanswered: Map<string, { path: string; body: string }>
}

/** A moment somewhere in the load: enough was taken to be lost, however slow the machine, and up to `more_ms` have passed. */
export async function inTheMidst(acknowledged: ReadonlySet<string>, more_ms: number): Promise<void> {
  for (let i = 0; acknowledged.size < ENOUGH; i++) {
    if (i > 3_000) throw new Error('nothing is taken')
    await new Promise((next) => setTimeout(next, 20))
  }
  await new Promise((next) => setTimeout(next, Math.random() * more_ms))
}

/** Posts through `senders` sockets until each of them breaks, or it is `over`. Every message has its own id and time; what was taken is put into `acknowledged`. */
export async function onslaught(
  url: string,
  paths: readonly string[],
  senders: number,
  tag: string,
  acknowledged = new Set<string>(),
  over = () => false,
): Promise<Onslaught> {
  const { hostname, port } = new URL(url)
  const unanswered = new Map<string, { path: string; body: string }>()
  await Promise.all(
    Array.from({ length: senders }, async (_, i) => {
      const sender = new Sender(hostname, Number(port))
      const path = paths[i % paths.length] as string
      for (let n = 0; !over(); n++) {
        const id = `${tag}-${i}-${n}`
        const time = new Date().toISOString()
        const body = JSON.stringify({
          id,
          symbol: 'MXF1!',
          action: n % 2 ? 'sell' : 'buy',
          qty: 1,
          price: 46_000 + (n % 300),
          timenow: time,
        })
        unanswered.set(id, { path, body })
        try {
          const { status } = await sender.post(path, body)
          if (status === 200) {
            acknowledged.add(id)
            unanswered.delete(id)
          }
        } catch {
          // The server is gone: this is what was waited for.
          return
        }
      }
      sender.close()
    }),
  )
  return { acknowledged, unanswered }
}
