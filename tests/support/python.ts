// A Python to run what we hand out for it; Debian's is installed where there is none and that is possible.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const has = (name: string) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0

/** The name of a Python 3, null where there is none and none can be installed. */
export function findPython(): string | null {
  if (has('python3')) return 'python3'
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args: string[]) => spawnSync('apt-get', args, { stdio: 'ignore', env, timeout: 300_000 })
    apt('update', '-qq')
    apt('install', '-y', '-qq', '--no-install-recommends', 'python3')
  }
  return has('python3') ? 'python3' : null
}
