// npm test: types, lint, unit and server tests on both databases, the browser tests on the production build. Last line: N passed, N failed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Outcome, ofPlaywright, type PlaywrightReport, told } from './report/failures.ts'
import { findBrowser } from './support/browser.ts'
import { installPostgres } from './support/postgres.ts'

const ROOT = resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'lingbo-test-'))
const node = process.execPath
let passed = 0
let failed = 0
const lines: string[] = []
/** Names and first lines of what failed: the output's end is all that is kept of it in some places. */
const reasons: string[] = []

/** What a step is: its report, when it has one, says what passed; a step without counts as one check. */
interface Step {
  name: string
  command: string
  args: string[]
  env?: Record<string, string>
  report?: () => Outcome
  /** Takes the processor only where the others leave it. */
  gives_way?: true
}

/** Runs one step. Its output goes to the screen as it comes, or in one piece at its end where others run beside it. */
async function step(
  { name, command, args, env = {}, report, gives_way }: Step,
  beside = false,
): Promise<Outcome> {
  const began = Date.now()
  const shown = report !== undefined && !beside
  const headline = `\n── ${name}\n`
  if (shown) process.stdout.write(headline)
  // A file, no pipe: whatever a test has left running may keep that open for ever.
  const file = join(scratch, `${name}.txt`)
  const output = shown ? 'inherit' : openSync(file, 'w')
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
  })
  const status = await new Promise<number | string | null>((ended) => {
    child.once('error', ({ message }) => ended(message))
    child.once('exit', ended)
    if (gives_way && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  })
  const said = `${typeof status === 'string' ? status : ''}${shown ? '' : readFileSync(file, 'utf8')}`
  process.stdout.write(shown ? said : headline + said)
  const ok = status === 0
  const outcome = report?.() ?? { passed: ok ? 1 : 0, failures: [] }
  // A runner that dies without naming a failure has failed all the same.
  if (!ok && outcome.failures.length === 0) outcome.failures.push({ name, message: said })
  passed += outcome.passed
  failed += outcome.failures.length
  const seconds = ((Date.now() - began) / 1000).toFixed(0)
  lines.push(
    `${ok ? '✓' : '✗'} ${name}: ${outcome.passed} passed, ${outcome.failures.length} failed (${seconds} s)`,
  )
  if (!report) reasons.push(...told(outcome.failures, null))
  return outcome
}

/** What failed once more, for the diagnosis: the verdict is the first run's. */
function again(args: string[], { env, report }: Required<Pick<Step, 'env' | 'report'>>): Outcome | null {
  process.stdout.write('\n── what failed, once more; the verdict stays\n')
  spawnSync(node, args, { cwd: ROOT, stdio: 'inherit', timeout: 300_000, env: { ...process.env, ...env } })
  const outcome = report()
  return outcome.passed + outcome.failures.length > 0 ? outcome : null
}

function read<T>(file: string): T | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null
}

function unitOutcome(file: string): () => Outcome {
  return () => read<Outcome>(file) ?? { passed: 0, failures: [] }
}

function browserOutcome(file: string): () => Outcome {
  return () => {
    const report = read<PlaywrightReport>(file)
    return report ? ofPlaywright(report) : { passed: 0, failures: [] }
  }
}

// Missing counterparts are installed where that is possible (Debian as root); what is then still missing is said at once.
findBrowser()
if (!installPostgres()) process.stdout.write('\n!!! 沒有 PostgreSQL：那一半的資料庫測試會略過 !!!\n')

const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=./tests/report/vitest.ts']
const playwright = [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test']

// The build writes the route tree that the types of the screens need.
const build: Step = { name: 'build', command: node, args: ['server/cli/build.ts'] }
const built = (await step(build)).failures.length === 0
const types: Step = { name: 'types', command: 'tsc', args: ['-b', '--checkers', '1'], gives_way: true }
const lint: Step = { name: 'lint', command: 'biome', args: ['check', '.'], gives_way: true }

const reported = (name: string) => {
  const file = join(scratch, `${name}.json`)
  return { env: { LINGBO_OUTCOME: file }, report: unitOutcome(file) }
}
const part = (name: string, ...projects: string[]): Step => ({
  ...{ name, command: node, ...reported(name) },
  args: [...vitest, '--reporter=dot', ...projects.map((project) => `--project=${project}`)],
})
// What kills, cuts off and fills up waits for processes and disks most of its time: that time is the others'. Each of the two
// runs has a PostgreSQL of its own, and within the second order is kept (vitest.config.ts).
// Types and lint take what is left.
const [unit, kills] = await Promise.all([
  step(part('unit and server', 'rooms', 'pure', 'server')),
  step(part('kills and faults', 'kills', 'alone'), true),
  step(types, true),
  step(lint, true),
])
const units = { failures: [unit, kills].flatMap(({ failures }) => failures) }
if (units.failures.length > 0) {
  const files = [...new Set(units.failures.map(({ name }) => name.split(':')[0]?.split(' › ')[0] as string))]
  const there = files.filter((file) => existsSync(join(ROOT, file))).slice(0, 10)
  const once = there.length > 0 ? again([...vitest, '--reporter=default', ...there], reported('again')) : null
  reasons.push(...told(units.failures, once))
}

if (built) {
  const browser = (name: string) => {
    const file = join(scratch, `${name}.json`)
    return { env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file }, report: browserOutcome(file) }
  }
  const { failures } = await step({
    ...{ name: 'browser', command: node, ...browser('e2e') },
    args: [...playwright, '--reporter=list,json'],
  })
  // Traces cost a third of the work, so only what failed is recorded (test-results/), in a run of its own.
  const traced = [...playwright, '--last-failed', '--trace=on', '--reporter=list,json']
  if (failures.length > 0) reasons.push(...told(failures, again(traced, browser('e2e-again'))))
}
rmSync(scratch, { recursive: true, force: true })

const why = reasons.length > 0 ? `── 未通過\n${reasons.join('\n')}\n\n` : ''
process.stdout.write(`\n${why}${lines.join('\n')}\n\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
