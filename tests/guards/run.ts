// npm run soak -- guards: takes each guard out in a copy of the repository and looks whether npm test turns red. GUARD=regex: those alone.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { GUARDS, type Guard } from './list.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const LEFT_OUT = new Set(['node_modules', '.git', 'data', 'data-demo', 'test-results'])
const AT_ONCE = 2
const ONLY = new RegExp(process.env['GUARD'] ?? '')

/** Runs the tests of a guard in the copy without it; gives the first test that turned red, null when none did. */
async function redWithout({ changes, tests }: Guard, copy: string): Promise<string | null> {
  const before = new Map<string, string>()
  try {
    for (const { file, from, to } of changes) {
      const path = join(copy, file)
      const text = readFileSync(path, 'utf8')
      if (text.split(from).length !== 2) throw new Error(`${file} holds this not exactly once: ${from}`)
      if (!before.has(path)) before.set(path, text)
      writeFileSync(
        path,
        text.replace(from, () => to),
      )
    }
    return await firstRed(copy, tests)
  } finally {
    for (const [path, text] of before) writeFileSync(path, text)
  }
}

function firstRed(copy: string, tests: readonly string[]): Promise<string | null> {
  const { SOAK: _, ...env } = process.env
  const args = ['vitest', 'run', ...tests, '--bail', '1', '--reporter', 'default']
  const child = spawn(process.execPath, [join(copy, 'server/cli/run.mjs'), ...args], {
    cwd: copy,
    env: { ...env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('exit', (code) => {
      const red = /^ *FAIL +(.+)$/m.exec(output)
      if (code === 0 && /Tests +\d+ passed/.test(output)) done(null)
      else if (red?.[1]) done(red[1].replace(/^\|?\w+\|? +/, ''))
      else fail(new Error(`no test ran:\n${output.slice(-2_000)}`))
    })
  })
}

const left = GUARDS.filter(({ name }) => ONLY.test(name))
const total = left.length
const unseen: string[] = []
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    const copy = mkdtempSync(join(tmpdir(), 'lingbo-guards-'))
    try {
      cpSync(ROOT, copy, {
        recursive: true,
        filter: (path) => !LEFT_OUT.has(path.slice(ROOT.length + 1)),
      })
      symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
      for (let next = left.shift(); next; next = left.shift()) {
        const red = await redWithout(next, copy)
        if (red === null) unseen.push(next.name)
        console.log(`${red === null ? '✗' : '✓'} ${next.name}: ${red ?? 'nothing turned red'}`)
      }
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  }),
)
console.log(`${total - unseen.length} of ${total} guards seen`)
if (unseen.length > 0) process.exitCode = 1
