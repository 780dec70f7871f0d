// A mail server that takes what it is sent, looks at its form as receivers do, and greylists, refuses or hangs up as it is told.
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { wrongMail } from './mail-rules.ts'
import { type Letter, readMail } from './server.ts'

export interface MailFault {
  /** 451 try later, 450, 421 · 550 nobody here, 552, 554. */
  readonly status?: number
  /** In place of the usual sentence, with its enhanced code: `5.1.1 nobody`. */
  readonly says?: string
  /** Where it is said: to the recipient (as greylisting does) or after the content, the default. */
  readonly at?: 'recipient' | 'content'
  /** Hung up after the content without an answer; `after` = the letter was taken before. */
  readonly drop?: true | 'after'
  /** No answer to the content. */
  readonly hang?: true
}

export interface MailLetter extends Letter {
  readonly from: string
  /** Names in small letters. */
  readonly headers: ReadonlyMap<string, string>
  readonly message_id: string
  /** As it came, lines ended by \n. */
  readonly source: string
  readonly at: number
}

export interface MailServer {
  /** For SMTP_URL. */
  readonly url: string
  readonly letters: MailLetter[]
  /** Message-IDs that came more than once. */
  readonly repeated: string[]
  readonly wrong: string[]
  readonly faults: { next(...faults: readonly MailFault[]): void; readonly left: number }
  /** True = the first try from each sender to each recipient is told to come again (451). */
  greylisting: boolean
  close(): Promise<void>
}

type Done = (error?: Error | null) => void
const TEXTS: Record<number, string> = { 451: 'Greylisted, try again later', 550: 'No such user here' }

export async function startMailServer(options: { port?: number } = {}): Promise<MailServer> {
  const letters: MailLetter[] = []
  const repeated: string[] = []
  const wrong: string[] = []
  const script: MailFault[] = []
  const seen = new Set<string>()
  const state = { greylisting: false }
  const say = (status: number, text = TEXTS[status] ?? `fault ${status}`) =>
    Object.assign(new Error(text), { responseCode: status })
  const take = (source: string, { envelope }: SMTPServerSession) => {
    wrong.push(...wrongMail(source).map((line) => `mail: ${line}`))
    const plain = source.replaceAll('\r\n', '\n')
    const headers = headersOf(plain)
    const message_id = headers.get('message-id') ?? ''
    if (letters.some((one) => one.message_id === message_id)) repeated.push(message_id)
    const from = envelope.mailFrom ? envelope.mailFrom.address : ''
    letters.push({ ...readMail(plain), from, headers, message_id, source: plain, at: Date.now() })
  }
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    // Chinese names go as encoded words: not every receiver takes them as they are.
    hideSMTPUTF8: true,
    logger: false,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? '' }),
    onRcptTo({ address }, { envelope }, done: Done) {
      const who = `${envelope.mailFrom ? envelope.mailFrom.address : ''} → ${address}`
      const first = !seen.has(who)
      seen.add(who)
      if (state.greylisting && first) return done(say(451))
      if (script[0]?.at !== 'recipient') return done()
      const { status = 451, says } = script.shift() ?? {}
      done(say(status, says))
    },
    onData(stream, session, done: Done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', () => {
        const fault = script[0]?.at === 'recipient' ? undefined : script.shift()
        if (fault?.status !== undefined) return done(say(fault.status, fault.says))
        if (fault?.hang) return
        if (fault?.drop !== true) take(Buffer.concat(chunks).toString('latin1'), session)
        if (fault?.drop) for (const connection of smtp.connections) connection.close()
        else done()
      })
    },
  })
  // Whoever hangs up in the middle is what some tests are about.
  smtp.on('error', () => undefined)
  await new Promise<void>((ready) => smtp.listen(options.port ?? 0, '127.0.0.1', () => ready()))
  const { port } = smtp.server.address() as AddressInfo
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    repeated,
    wrong,
    faults: {
      next: (...faults: readonly MailFault[]) => void script.push(...faults),
      get left() {
        return script.length
      },
    },
    close: () =>
      new Promise<void>((closed) => {
        smtp.close(() => closed())
        for (const connection of smtp.connections) connection.close()
      }),
  })
}

function headersOf(source: string): Map<string, string> {
  const [head = ''] = source.split('\n\n', 1)
  const lines = head.replace(/\n[ \t]+/g, ' ').split('\n')
  return new Map(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const
    }),
  )
}
