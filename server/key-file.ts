// A secret file that is made once, however many processes start on the same empty folder: all of them read the same one.
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** File systems without hard links (FAT, some network shares). */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** What stands in the file; `make` gives what is written when there is none. Only the owner may read it. */
export function readOrMake(path: string, make: () => string): string {
  if (!existsSync(path)) place(path, make())
  // Restored from an archive it may have become readable by all.
  chmodSync(path, 0o600)
  return readFileSync(path, 'utf8')
}

/** Whole or not at all, and never in the place of another process's. */
function place(path: string, text: string): void {
  const fresh = `${path}.${randomUUID()}.new`
  try {
    writeFileSync(fresh, text, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(fresh, path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (NO_LINKS.has(code)) placePlainly(path, text)
    else if (code !== 'EEXIST') throw error
  } finally {
    rmSync(fresh, { force: true })
  }
  flushFolder(dirname(path))
}

function placePlainly(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** A name in a folder is on the disk only when the folder is. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
