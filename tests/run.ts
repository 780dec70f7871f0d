// npm test: types, lint, unit and server tests on both databases, the browser tests on the production build. Last line: N passed, N failed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findBrowser } from './support/browser.ts'
import { installPostgres } from './support/postgres.ts'

const ROOT = resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'lingbo-test-'))
let passed = 0
let failed = 0
const lines: string[] = []

interface Counted {
  passed: number
  failed: number
}

/** Runs one step with its output on the screen; a step without a report counts as one check. */
function step(
  name: string,
  command: string,
  args: string[],
  env: Record<string, string> = {},
  report?: () => Counted,
): boolean {
  const began = Date.now()
  process.stdout.write(`\n── ${name}\n`)
  const { status } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const ok = status === 0
  const counted = report?.() ?? { passed: ok ? 1 : 0, failed: ok ? 0 : 1 }
  // A runner that dies without counting a failure has failed all the same.
  if (!ok && counted.failed === 0) counted.failed = 1
  passed += counted.passed
  failed += counted.failed
  lines.push(
    `${ok ? '✓' : '✗'} ${name}: ${counted.passed} passed, ${counted.failed} failed (${((Date.now() - began) / 1000).toFixed(0)} s)`,
  )
  return ok
}

function vitestReport(file: string): () => Counted {
  return () => {
    if (!existsSync(file)) return { passed: 0, failed: 1 }
    const report = JSON.parse(readFileSync(file, 'utf8')) as {
      numPassedTests: number
      numFailedTests: number
      numFailedTestSuites: number
    }
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests || (report.numFailedTestSuites > 0 ? 1 : 0),
    }
  }
}

function playwrightReport(file: string): () => Counted {
  return () => {
    if (!existsSync(file)) return { passed: 0, failed: 1 }
    const { stats } = JSON.parse(readFileSync(file, 'utf8')) as {
      stats: { expected: number; unexpected: number; flaky: number }
    }
    return { passed: stats.expected, failed: stats.unexpected + stats.flaky }
  }
}

const unit = join(scratch, 'unit.json')
const e2e = join(scratch, 'e2e.json')
const node = process.execPath
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
const playwright = join(ROOT, 'node_modules/@playwright/test/cli.js')

// Missing counterparts are installed where that is possible (Debian as root); what is then still missing is said at once.
findBrowser()
if (!installPostgres()) process.stdout.write('\n!!! 沒有 PostgreSQL：那一半的資料庫測試會略過 !!!\n')

// The build writes the route tree that the types of the screens need.
const built = step('build', node, ['server/cli/build.ts'])
step('types', 'tsc', ['-b'])
step('lint', 'biome', ['check', '.'])
step(
  'unit and server',
  node,
  [vitest, 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${unit}`],
  {},
  vitestReport(unit),
)
if (built) {
  const went = step(
    'browser',
    node,
    [playwright, 'test', '--reporter=list,json'],
    { PLAYWRIGHT_JSON_OUTPUT_NAME: e2e },
    playwrightReport(e2e),
  )
  // Traces cost a third of the work, so only what failed is recorded, in a run of its own that decides nothing.
  if (!went) {
    process.stdout.write('\n── what failed, once more with traces (test-results/); the verdict stays\n')
    const again = [playwright, 'test', '--last-failed', '--trace=on', '--reporter=list']
    spawnSync(node, again, { cwd: ROOT, stdio: 'inherit', timeout: 300_000 })
  }
}
rmSync(scratch, { recursive: true, force: true })

process.stdout.write(`\n${lines.join('\n')}\n\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
