// Sends mail over SMTP, or writes it as .eml files when no server is configured.
import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SendMailOptions } from 'nodemailer'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Pauses before the second, third and fourth try, in milliseconds. */
const RETRY_MS = [2_000, 10_000, 60_000]

export class Mailer {
  readonly #deliver: (mail: SendMailOptions) => Promise<void>
  readonly #from: string
  readonly #log: Logger
  readonly #open = new Set<Promise<void>>()
  readonly #stop = new AbortController()
  readonly #close: () => Promise<void>

  constructor(config: Pick<Config, 'smtp_url' | 'mail_from' | 'data_dir'>, log: Logger) {
    this.#from = config.mail_from
    this.#log = log
    if (config.smtp_url === null) {
      this.#deliver = (mail) => writeMail(join(config.data_dir, 'mail'), mail)
      this.#close = () => Promise.resolve()
    } else {
      const url = config.smtp_url
      let smtp: ReturnType<typeof openSmtp> | undefined
      this.#deliver = async (mail) => {
        smtp ??= openSmtp(url)
        await (await smtp).sendMail(mail)
      }
      this.#close = async () => (await smtp)?.close()
    }
  }

  /** Sends in the background: the caller's answer neither waits for it nor tells how long it took. */
  post(mail: Mail): void {
    const sending = this.#send({ ...mail, from: this.#from }).finally(() => this.#open.delete(sending))
    this.#open.add(sending)
  }

  /** Waits for what is being sent; gives up its further tries. */
  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#open)
    await this.#close()
  }

  async #send(mail: SendMailOptions): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await this.#deliver(mail)
        return
      } catch (error) {
        const wait_ms = RETRY_MS[tries]
        // Neither address nor content: a mail's body holds a code.
        this.#log.error(
          { code: codeOf(error), tries: tries + 1, again: wait_ms !== undefined },
          'mail not sent',
        )
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
  return createTransport({ url, pool: true, connectionTimeout: 10_000, socketTimeout: 20_000 })
}

async function writeMail(folder: string, mail: SendMailOptions): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { createTransport } = await library()
  const { message } = await createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'unix',
  }).sendMail(mail)
  const name = join(folder, `${new Date().toISOString().replaceAll(':', '')}-${randomUUID()}.eml`)
  await writeFile(`${name}.part`, message as Buffer, { mode: 0o600 })
  await rename(`${name}.part`, name)
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown'
}
