// Finds a Chromium for the browser tests; nothing is downloaded (ruling C34).
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'

/** First the shell without windows, menus and their processes: the same engine for two thirds of the work. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'msedge',
]
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** As root there is no sandbox; the rest keeps the browser from talking to anybody but the test's server. */
export const LAUNCH_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Path of a Chromium, or undefined for Playwright's own; as root on Debian it is installed. Throws one sentence when there is none. */
export function findBrowser(): string | undefined {
  const asked = process.env['CHROMIUM_PATH']
  if (asked) {
    if (existsSync(asked)) return asked
    throw new Error(`CHROMIUM_PATH=${asked} does not exist`)
  }
  if (existsSync(chromium.executablePath())) return undefined
  const found = onPath() ?? (installed() ? onPath() : undefined)
  if (found) return found
  throw new Error(
    'No Chromium: run "npx playwright install chromium", or install chromium or Chrome, or set CHROMIUM_PATH.',
  )
}

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const windows = ['PROGRAMFILES', 'LOCALAPPDATA'].flatMap((name) => {
    const folder = process.env[name]
    return folder ? [join(folder, 'Google/Chrome/Application/chrome.exe')] : []
  })
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), MAC, ...windows].find(
    existsSync,
  )
}

/** Debian's package, as root only. Ubuntu's is a snap stub, so it is not tried there. */
function installed(): boolean {
  const system = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  if (process.getuid?.() !== 0 || !/^ID=debian/m.test(system)) return false
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 300_000,
    }).status === 0
  const install = (name: string) =>
    apt('install', '-y', '-qq', '--no-install-recommends', name, 'fonts-noto-cjk')
  apt('update', '-qq')
  return install('chromium-headless-shell') || install('chromium')
}

/** Kills the browser that keeps its profile in `folder`, at once and without a chance to tidy up; throws when there is none. */
export function killBrowser(folder: string): void {
  const lock = join(folder, 'SingletonLock')
  const own = existsSync('/proc/self/cmdline')
    ? readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(folder))
    : [readlinkSync(lock).split('-').at(-1) as string]
  if (own.length === 0) throw new Error(`no browser keeps its profile in ${folder}`)
  for (const pid of own) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch (error) {
      // a child that went with its parent
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it has ended meanwhile
  }
}
