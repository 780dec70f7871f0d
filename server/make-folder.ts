// A folder with those above it, made one after the other: Node's own recursive way never ends where the system makes none (/proc).
import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The folder, readable and writable, for its owner only. SQLite only says that it cannot open something: the system knows why. */
export function makeFolder(path: string): void {
  make(path)
  accessSync(path, constants.R_OK | constants.W_OK)
}

function make(path: string): void {
  if (isFolder(path)) return
  const above = dirname(path)
  if (above !== path) make(above)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // another process was quicker
    if (code === 'EEXIST' && isFolder(path)) return
    accessSync(above, constants.W_OK)
    // what is above is there and may be written to: only a system that makes no folders says so
    if (code === 'ENOENT')
      throw new Error(`資料夾 ${path} 建立不起來：${above} 不讓人建立資料夾。請用 DATA_DIR 指定別的資料夾`, {
        cause: error,
      })
    throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
