// Mails that were written as files because no SMTP is configured: they hold codes and addresses, and go after thirty days.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'

const KEPT_MS = 30 * 86_400_000

/** Removes the old ones once; gives how many. */
export async function sweepMails(app: { config: Config; log: Logger; now(): number }): Promise<number> {
  const folder = join(app.config.data_dir, 'mail')
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  let gone = 0
  for (const name of names.filter((one) => /\.eml(\.part)?$/.test(one)))
    try {
      const path = join(folder, name)
      if (app.now() - (await stat(path)).mtimeMs < KEPT_MS) continue
      await rm(path, { force: true })
      gone++
    } catch (error) {
      app.log.warn({ err: error }, 'mail not removed')
    }
  return gone
}
