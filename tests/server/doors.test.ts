// The port has several listening sockets: a crowd of new connections is taken in a few turns of the loop, and nobody shares the port.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openDoors } from '#server/http/sockets.ts'
import { freePort } from '#tests/support/port.ts'

const CROWD = 96

async function turns(count: number, by: (next: () => void) => unknown): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise<void>((next) => by(next))
}

async function turnsFor(doors: number): Promise<number> {
  const http = createServer((_request, response) => response.end('here'))
  let taken = 0
  http.on('connection', () => {
    taken += 1
  })
  const open = await openDoors(http, { host: '127.0.0.1', port: 0 }, doors)
  const sockets: Socket[] = []
  for (let n = 0; n < CROWD; n++) sockets.push(connect(open.address.port, '127.0.0.1'))
  let turns = 0
  while (taken < CROWD) {
    const before = taken
    await new Promise((next) => setImmediate(next))
    // A turn that brought nobody waited for the system.
    if (taken > before) turns += 1
  }
  for (const socket of sockets) socket.destroy()
  await open.close()
  return turns
}

test('a crowd of connections is taken several a turn', async () => {
  expect(await turnsFor(1)).toBeGreaterThanOrEqual(CROWD)
  expect(await turnsFor(8)).toBeLessThan(CROWD / 2)
})

test('whichever socket a connection comes by, it is served; what is open is waited for when closing', async () => {
  const http = createServer((_request, response) => response.end('here'))
  const open = await openDoors(http, { host: '127.0.0.1', port: 0 })
  const asked = Array.from({ length: 40 }, () => fetch(`http://127.0.0.1:${open.address.port}/`))
  for (const answer of await Promise.all(asked)) expect(await answer.text()).toBe('here')
  // The system takes a connection before the server does: one that nobody took yet is not waited for.
  const came = once(http, 'connection')
  const kept = connect(open.address.port, '127.0.0.1')
  await came
  let closed = false
  const closing = open.close().then(() => {
    closed = true
  })
  await expect(fetch(`http://127.0.0.1:${open.address.port}/`)).rejects.toThrow()
  expect(closed).toBe(false)
  kept.destroy()
  http.closeAllConnections()
  await closing
})

test('a port that another server has is refused, whether it shares it with itself or not; also when both begin at once', async () => {
  const first = createServer()
  const open = await openDoors(first, { host: '127.0.0.1', port: 0 })
  await expect(
    openDoors(createServer(), { host: '127.0.0.1', port: open.address.port }),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await open.close()
  // The system hands this one out to nobody while it is let go of and taken again.
  const where = { host: '127.0.0.1', port: await freePort() }
  // Whichever moment of the one's beginning the other meets: that a port was free a moment ago proves nothing.
  for (let late = 0; late < 12; late++)
    for (const by of [setImmediate, (next: () => void) => process.nextTick(next)]) {
      const both = await Promise.allSettled([
        openDoors(createServer(), where),
        turns(late, by).then(() => openDoors(createServer(), where)),
      ])
      for (const one of both) if (one.status === 'fulfilled') await one.value.close()
      expect([late, both.map(({ status }) => status).sort()]).toEqual([late, ['fulfilled', 'rejected']])
    }
  // And once they are gone it is free again.
  await (await openDoors(createServer(), where)).close()
})
