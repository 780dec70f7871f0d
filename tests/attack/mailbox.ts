// A mail server for tests: takes what it is sent, lets anybody sign in, and turns away the recipients it is told to, quoting them.
import { createServer, type Socket } from 'node:net'
import { type Letter, readMail } from '#tests/support/server.ts'

export interface Mailbox {
  port: number
  letters(): Letter[]
  /** Every line that came, sign-in included. */
  lines: string[]
  close(): Promise<void>
}

/** Recipients that contain `bounces` are refused with an answer that repeats address and sign-in. */
export async function openMailbox(bounces: string): Promise<Mailbox> {
  const letters: Letter[] = []
  const lines: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    const say = (line: string) => socket.write(`${line}\r\n`)
    let rest = ''
    let letter: string[] | null = null
    let signed = ''
    const hear = (line: string) => {
      lines.push(line)
      if (letter !== null) {
        if (line !== '.') letter.push(line.replace(/^\.\./, '.'))
        else {
          letters.push(readMail(letter.join('\n')))
          letter = null
          say('250 taken')
        }
      } else if (/^EHLO/i.test(line)) say('250-mailbox\r\n250 AUTH PLAIN LOGIN')
      else if (/^AUTH/i.test(line)) {
        signed = line
        say('235 welcome')
      } else if (/^RCPT/i.test(line) && line.includes(bounces)) say(`550 nobody here: ${line} (${signed})`)
      else if (/^DATA/i.test(line)) {
        letter = []
        say('354 go on')
      } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
      else say('250 yes')
    }
    socket.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\r\n')
      rest = parts.pop() ?? ''
      for (const line of parts) hear(line)
    })
    say('220 mailbox')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    letters: () => letters,
    lines,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
