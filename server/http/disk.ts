// How much room the disk of the data has: told before it is used up.
import { statfs } from 'node:fs/promises'
import type { App } from '../context.ts'

const MB = 1024 * 1024
const EVERY_MS = 5 * 60_000

/** Bytes left where the data folder lies. */
export async function roomLeft(app: Pick<App, 'config'>): Promise<number> {
  const { bavail, bsize } = await statfs(app.config.data_dir)
  return bavail * bsize
}

export function isLow(app: Pick<App, 'config'>, bytes: number): boolean {
  return bytes < app.config.disk_low_mb * MB
}

/** Looks now and every five minutes, and says in the log when the disk runs out, until the returned function is called. */
export function watchDisk(app: Pick<App, 'config' | 'log'>): () => void {
  const look = () =>
    roomLeft(app).then(
      (bytes) => {
        const figures = {
          data_dir: app.config.data_dir,
          free_mb: Math.floor(bytes / MB),
          low_mb: app.config.disk_low_mb,
        }
        if (isLow(app, bytes))
          app.log.warn(figures, '磁碟空間快用完了：請清出空間，或把 DATA_DIR 移到較大的磁碟')
      },
      (error: unknown) => app.log.error({ err: error }, 'cannot see how much room the disk has'),
    )
  void look()
  const timer = setInterval(look, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
