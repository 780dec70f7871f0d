// What every test of the outbox begins with: one server for the file, and a fresh device for each test.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type ServerSide, startServerSide } from './outbox-server.ts'
import { createWorld, type World } from './outbox-world.ts'

/** Hands over the server, the device on which its first person is signed in, and that person's id, before each test. */
export function beginOnFreshDevice(
  set: (now: { server: ServerSide; world: World; uid: string }) => void,
): void {
  let server: ServerSide
  let world: World
  beforeAll(async () => {
    server = await startServerSide()
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    world = createWorld(server)
    world.sign_in(server.people[0])
    await world.rest()
    set({ server, world, uid: server.people[0].uid })
  })
  afterEach(() => world.end())
}
