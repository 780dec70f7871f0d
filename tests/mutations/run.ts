// npm run bench -- mutations: takes each check out in a copy of the repository and looks whether the matrix turns red. PART=regex: those alone.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { MUTATIONS, type Mutation } from './list.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', 'data', 'test-results'])
const AT_ONCE = 2
const PART = new RegExp(process.env['PART'] ?? '')
/** All but the calls that hash passwords: they take the most time and have no scope. */
const MATRIX =
  'access \\(sqlite\\)\\W+(strategy|webhook|signal|dashboard|group|organization|membership|invitation|join|oauth|event|session.(renew|list|end))'

/** Prints a line per mutation; the exit code says whether every one of them was seen. */
export async function mutations(list: readonly Mutation[] = MUTATIONS): Promise<void> {
  const left = list.filter(({ name }) => PART.test(name))
  const unseen: string[] = []
  const total = left.length
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const red = await redAt(next)
        if (red === null) unseen.push(next.name)
        console.log(
          `| ${next.name} | ${next.changes.map(({ file }) => `\`${file}\``).join(', ')} | ${red ?? 'GREEN'} |`,
        )
      }
    }),
  )
  console.log(
    `${total - unseen.length} of ${total} seen${unseen.length > 0 ? `; not: ${unseen.join('; ')}` : ''}`,
  )
  if (unseen.length > 0) process.exitCode = 1
}

/** The first call of the matrix that turned red, null when none did. */
async function redAt({ changes }: Mutation): Promise<string | null> {
  const copy = mkdtempSync(join(tmpdir(), 'lingbo-mutation-'))
  try {
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    for (const { file, from, to } of changes) {
      const text = readFileSync(join(copy, file), 'utf8')
      if (text.split(from).length !== 2) throw new Error(`${file} holds this not exactly once: ${from}`)
      writeFileSync(
        join(copy, file),
        text.replace(from, () => to),
      )
    }
    return await firstRed(copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function firstRed(copy: string): Promise<string | null> {
  const matrix = ['run', 'tests/server/access.test.ts', '-t', MATRIX, '--bail', '1', '--reporter', 'default']
  const child = spawn(process.execPath, [join(copy, 'server/cli/run.mjs'), 'vitest', ...matrix], {
    cwd: copy,
    env: { ...process.env, NO_COLOR: '1' },
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
      const fault = /FAIL .*access \(sqlite\) > ([a-z-]+\.[a-z-]+):/.exec(output)
      const told = /^\+ +"(.*)",$/m.exec(output)
      if (code === 0 && /Tests +\d+ passed/.test(output)) done(null)
      else if (fault && told) done(`\`${fault[1]}\`, ${told[1]}`)
      else fail(new Error(`the matrix did not run:\n${output.slice(-2_000)}`))
    })
  })
}
