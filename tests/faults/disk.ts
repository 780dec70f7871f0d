// A small ext4 file system of its own (loop device), to fill up or to cut the power of. Only where root and loop devices are.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Disk {
  path: string
  /** Everything that was not flushed is gone, as when the plug is pulled; the file system refuses to work until `remount`. */
  cutPower(): void
  /** Unmounts and mounts again: the journal is replayed as after a boot. Nobody may hold a file there. */
  remount(): void
  /** From now on nothing can be written. Nobody may hold a file there for writing. */
  readOnly(): void
  remove(): void
}

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', timeout: 300_000 })

/** EXT4_IOC_SHUTDOWN with NOLOGFLUSH: not even the journal is written. Refuses anything but a loop mount. */
const SHUTDOWN = `
import fcntl, os, struct, sys
path = sys.argv[1]
mounts = [line.split() for line in open('/proc/mounts')]
assert any(m[1] == path and m[0].startswith('/dev/loop') and m[2] == 'ext4' for m in mounts), 'not a loop mount: ' + path
fd = os.open(path, os.O_RDONLY)
fcntl.ioctl(fd, 0x8004587D, struct.pack('I', 2))
`

/** A fresh file system of so many megabytes. */
export function makeDisk(megabytes: number): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'lingbo-disk-'))
  const image = join(folder, 'image')
  const path = join(folder, 'mounted')
  mkdirSync(path)
  // PostgreSQL's own user has to get through.
  chmodSync(folder, 0o711)
  run('truncate', '-s', `${megabytes}M`, image)
  run('mkfs.ext4', '-q', '-m', '0', image)
  const mount = () => run('mount', '-o', 'loop', image, path)
  mount()
  return {
    path,
    cutPower: () => run('python3', '-c', SHUTDOWN, path),
    remount() {
      unmount(path)
      mount()
    },
    readOnly: () => run('mount', '-o', 'remount,ro', path),
    remove() {
      unmount(path)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function unmount(path: string): void {
  // A process that was killed a moment ago may still be giving its files back.
  for (let i = 0; ; i++) {
    try {
      run('umount', path)
      return
    } catch (error) {
      if (i > 100) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
  }
}

/** Why there can be no such disk here, null when there can; says it loudly. */
export function noDisk(what: string): string | null {
  let why: string | null = null
  if (process.getuid?.() !== 0) why = 'not root'
  else if (!existsSync('/dev/loop-control')) why = 'no loop devices'
  else
    try {
      const disk = makeDisk(8)
      disk.cutPower()
      disk.remove()
    } catch (error) {
      why = String(error).split('\n')[0] ?? 'cannot mount'
    }
  if (why !== null) console.warn(`\n!!! ${what}: NOT tried, ${why} !!!\n`)
  return why
}
