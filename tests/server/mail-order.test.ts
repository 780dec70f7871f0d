// Mails that are written as files: in the folder they stand as they were sent, also several of one millisecond.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('mails of one moment stand in the order in which they were sent', async () => {
  const subjects = Array.from({ length: 40 }, (_, at) => `第 ${at + 1} 封`)
  for (const subject of subjects)
    server.app.mail.post({ to: 'one@example.com', subject, text: subject, html: subject })
  expect((await server.mails()).map(({ subject }) => subject)).toEqual(subjects)
})
