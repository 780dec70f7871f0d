// Sends mail over SMTP, or writes it as .eml files when no server is configured. One after the other, and for an address without
// an account the same work into nothing: neither the answer nor the next one tells whether a mail went (threat T16).
import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SendMailOptions } from 'nodemailer'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'

// How a letter came back: at which step, and with what answer of the mail server.

export interface Returned {
  /** 451, 550 …; null when the server answered nothing (no connection, a line that broke). */
  readonly answer: number | null
  /** `5.1.1`: what the answer says of itself (RFC 3463). */
  readonly detail: string | null
  /** CONN, AUTH, MAIL FROM, RCPT TO, DATA; '' where nobody says. */
  readonly step: string
  readonly code: string
}

/** What a failed sending tells. Neither address nor content is in it. */
function returnedOf(error: unknown): Returned {
  const told = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>
  const { responseCode, response, command } = told
  return {
    answer: typeof responseCode === 'number' ? responseCode : null,
    detail:
      (typeof response === 'string' && /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]) || null,
    step: typeof command === 'string' ? command : '',
    code: codeOf(error),
  }
}

/** `ECONNREFUSED`, `EENVELOPE` …. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown'
}

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A mail that whoever sends it may have to send again: the same id and date every time, so that a second one is known as the first. */
export interface MarkedMail extends Mail {
  readonly message_id: string
  readonly date: Date
  readonly headers: Readonly<Record<string, string>>
}

/** A mail as it travels. */
interface Letter {
  readonly message: Buffer
  readonly envelope: NonNullable<SendMailOptions['envelope']>
  /** What it says, to be read without a mail program. */
  readonly plain: string
}

/** Pauses before the second, third and fourth try to write a file, in milliseconds. */
const RETRY_MS = [2_000, 10_000, 60_000]
/** A mail that waits to be sent. */
export interface WaitingMail {
  readonly mail: Mail
  /** null = nobody is to get it. */
  readonly message_id: string | null
  readonly at_ms: number
}

/** Where letters over SMTP wait, so that another process sends what this one could not (server/jobs/mails.ts). */
export interface MailBox {
  /** Gives its key; null = there is no place for it now. */
  keep(waiting: WaitingMail): Promise<string | null>
  /** It could not be sent at once. */
  again(key: string): Promise<void>
  done(key: string): Promise<void>
}

export class Mailer {
  readonly #deliver: (letter: Letter, signal?: AbortSignal) => Promise<void>
  readonly #discard: (letter: Letter) => Promise<void>
  readonly #from: string
  readonly #log: Logger
  readonly #open = new Set<Promise<void>>()
  readonly #stop = new AbortController()
  readonly #close: () => Promise<void>
  /** Without one a letter waits in this process only: the folder is this machine's. */
  box: MailBox | null = null
  /** Hears the address of every mail in the background that was handed over. */
  onPassed: (address: string) => void = () => undefined
  /** The end of the line. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(config: Pick<Config, 'smtp_url' | 'mail_from' | 'data_dir'>, log: Logger) {
    this.#from = config.mail_from
    this.#log = log
    if (config.smtp_url === null) {
      const folder = join(config.data_dir, 'mail')
      this.#deliver = async (letter) => {
        const name = await writePart(folder, letter)
        await rename(`${name}.part`, name)
      }
      this.#discard = async (letter) => rm(`${await writePart(folder, letter)}.part`)
      this.#close = () => Promise.resolve()
    } else {
      const url = config.smtp_url
      let smtp: ReturnType<typeof openSmtp> | undefined
      this.#deliver = async ({ message, envelope }, signal) => {
        smtp ??= openSmtp(url)
        await (await smtp).sendMail({ envelope, raw: message, ...(signal && { signal }) })
      }
      this.#discard = () => Promise.resolve()
      this.#close = async () => (await smtp)?.close()
    }
  }

  /** Sends in the background: the caller's answer neither waits for it nor tells how long it took. */
  post(mail: Mail): void {
    const waiting = this.#waiting(mail)
    this.#keep(
      this.#write(mail, waiting.message_id).then(async (letter) => {
        const key = (await this.box?.keep(waiting)) ?? null
        await (key === null ? this.#send(letter, mail.to) : this.#first(letter, mail.to, key))
      }),
    )
  }

  /** All the work of `post` for a mail that nobody is to get. */
  pretend(mail: Mail): void {
    this.#keep(
      this.#write(mail).then(async (letter) => {
        const key = (await this.box?.keep({ ...this.#waiting(mail), message_id: null })) ?? null
        await this.#discard(letter)
        if (key !== null) await this.box?.done(key)
      }),
    )
  }

  #waiting(mail: Mail) {
    const domain = /@([^>]+)>?$/.exec(this.#from)?.[1] ?? 'localhost'
    return { mail, message_id: `<${randomUUID()}@${domain}>`, at_ms: Date.now() }
  }

  /** Sends one letter now and once; null when it was handed over, else how it came back. */
  async deliver({ message_id, ...mail }: MarkedMail, signal: AbortSignal): Promise<Returned | null> {
    const letter = await compose({ ...mail, messageId: message_id, from: this.#from })
    try {
      await this.#deliver(letter, signal)
      return null
    } catch (error) {
      return returnedOf(error)
    }
  }

  /** The first try, at once and beside others; the further ones are the job's. */
  async #first(letter: Letter, to: string, key: string): Promise<void> {
    try {
      await this.#deliver(letter)
    } catch (error) {
      this.#sayFailed(error, 1, true)
      await this.box?.again(key)
      return
    }
    this.onPassed(to)
    await this.box?.done(key)
  }

  /** Waits for what is being sent, its further tries included. */
  async settled(): Promise<void> {
    await Promise.all(this.#open)
  }

  /** Waits for what is being sent; gives up its further tries. */
  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#open)
    await this.#close()
  }

  #keep(sending: Promise<void>): void {
    const kept = sending
      .catch((error: unknown) => this.#log.error({ code: codeOf(error) }, 'mail not written'))
      .finally(() => this.#open.delete(kept))
    this.#open.add(kept)
  }

  /** In turn, and not before the answers that wait have left. */
  #write(mail: Mail, messageId?: string): Promise<Letter> {
    const written = this.#last.then(async () => {
      await new Promise((next) => setImmediate(next))
      return compose({ ...mail, from: this.#from, ...(messageId !== undefined && { messageId }) })
    })
    this.#last = written.catch(() => undefined)
    return written
  }

  /** Neither address nor content: a mail's body holds a code. */
  #sayFailed(error: unknown, tries: number, again: boolean): void {
    this.#log.error({ code: codeOf(error), tries, again }, 'mail not sent')
  }

  async #send(letter: Letter, to: string): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await this.#deliver(letter)
        this.onPassed(to)
        return
      } catch (error) {
        const wait_ms = RETRY_MS[tries]
        this.#sayFailed(error, tries + 1, wait_ms !== undefined)
        if (wait_ms === undefined || this.#stop.signal.aborted) return
      }
      try {
        await sleep(RETRY_MS[tries], undefined, { signal: this.#stop.signal })
      } catch {
        // The server stops: the loop makes one last try and then ends.
      }
    }
  }
}

/** Comes with the first mail: no start needs it, and it is a tenth of one. */
const library = () => import('nodemailer')

async function openSmtp(url: string) {
  const { createTransport } = await library()
  return createTransport({
    url,
    pool: true,
    connectionTimeout: 10_000,
    socketTimeout: 20_000,
    // Whoever sends tries again in its own time: the pool would send a letter six times into a line that drops after it.
    maxRequeues: 0,
  })
}

async function compose(
  mail: Mail & { from: string } & Pick<SendMailOptions, 'messageId' | 'date' | 'headers'>,
): Promise<Letter> {
  const { createTransport } = await library()
  const written = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  const { message, envelope } = await written.sendMail(mail)
  return { message: message as Buffer, envelope, plain: `${mail.subject}\n\n${mail.text}` }
}

/**
 * The name a letter gets in the folder once it is whole. Before its first part it says in plain words what it says in all of them:
 * mail programs skip that, and whoever opens the file in a terminal reads the code in it.
 */
async function writePart(folder: string, { message, plain }: Letter): Promise<string> {
  const name = join(folder, `${nextMoment()}-${randomUUID()}.eml`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const head = message.indexOf('\n\n') + 2
  const whole = [message.subarray(0, head), Buffer.from(`${plain}\n\n`), message.subarray(head)]
  await writeFile(`${name}.part`, Buffer.concat(whole), { mode: 0o600 })
  return name
}

/** Now, for the name of a file; later than that of every letter before, so that two of one millisecond stand in their order. */
function nextMoment(): string {
  last_ms = Math.max(Date.now(), last_ms + 1)
  return new Date(last_ms).toISOString().replaceAll(':', '')
}
let last_ms = 0
