// Mails that wait: a row each while they are on their way over SMTP, sealed, for they hold codes and addresses. The process that wrote one
// tries at once; what it could not send, or left behind when it ended, is a job of whichever process is there.
import { randomUUID } from 'node:crypto'
import type { App } from '../context.ts'
import type { MailBox, WaitingMail } from '../mail/mailer.ts'
import type { Job } from './jobs.ts'
import { enqueue, iso } from './table.ts'

/** So long the first try may take: whoever finds the letter waiting then, its process is gone. */
const FIRST_TRY_MS = 60_000
/** When one that failed is tried again; longer after each further try. */
const AGAIN_MS = 2_000
/** What a mail says is worth nothing later: codes and links end. */
const GIVEN_UP_MS = 3_600_000

export function mailBox({ db, keys, now, log }: Pick<App, 'db' | 'keys' | 'now' | 'log'>): MailBox {
  return {
    async keep(waiting) {
      const [key, due_at] = [randomUUID(), iso(now() + FIRST_TRY_MS)]
      const data = { sealed: keys.seal(JSON.stringify(waiting)) }
      try {
        await enqueue(db, { kind: 'mail', key, owner: 'server', data, due_at })
        return key
      } catch (error) {
        log.warn({ err: error }, 'mail not written down')
        return null
      }
    },
    async again(key) {
      const due_at = iso(now() + AGAIN_MS)
      await db.updateTable('jobs').set({ due_at }).where('kind', '=', 'mail').where('key', '=', key).execute()
    },
    async done(key) {
      await db.deleteFrom('jobs').where('kind', '=', 'mail').where('key', '=', key).execute()
    },
  }
}

/** Until it is taken, refused for good, or too old. */
export async function sendWaiting(
  { mail: mailer, keys, log }: Pick<App, 'mail' | 'keys' | 'log'>,
  job: Pick<Job<'mail'>, 'data'>,
): Promise<void> {
  const { mail, message_id, at_ms } = JSON.parse(keys.unseal(job.data.sealed)) as WaitingMail
  if (message_id === null) return
  const marked = { ...mail, message_id, date: new Date(at_ms), headers: {} }
  const back = await mailer.deliver(marked, AbortSignal.timeout(FIRST_TRY_MS))
  if (back === null) return mailer.onPassed(mail.to)
  const over = (back.answer ?? 0) >= 500 || Date.now() - at_ms > GIVEN_UP_MS
  log.error({ code: back.code, answer: back.answer, again: !over }, 'mail not sent')
  if (!over) throw new Error(`mail not sent: ${back.code}`)
}
