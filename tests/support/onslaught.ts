// Senders that post numbered signals as fast as they are answered, until the server is killed under them.
import { Sender } from '#tests/bench/wire.ts'

export interface Onslaught {
  /** Ids answered with 2xx. */
  acknowledged: Set<string>
  /** Bodies sent whose answer never came, by id. */
  unanswered: Map<string, { path: string; body: string }>
}

/** Posts through `senders` sockets until each of them breaks. Every message has its own id and time. */
export async function onslaught(
  url: string,
  paths: readonly string[],
  senders: number,
  tag: string,
): Promise<Onslaught> {
  const { hostname, port } = new URL(url)
  const acknowledged = new Set<string>()
  const unanswered = new Map<string, { path: string; body: string }>()
  await Promise.all(
    Array.from({ length: senders }, async (_, i) => {
      const sender = new Sender(hostname, Number(port))
      const path = paths[i % paths.length] as string
      for (let n = 0; ; n++) {
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
    }),
  )
  return { acknowledged, unanswered }
}
