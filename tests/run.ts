// npm test, and npm run soak: the same files, sized by tests/support/tier.ts. Names after `npm run soak --` choose parts. Last line: N passed, N failed.
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

const [tier, ...asked] = process.argv.slice(2)
const soak = tier === 'soak'
if (soak) process.env['SOAK'] = '1'

/** Vitest's files by part; types, lint, browser and guards are parts as well. */
const FILES: Record<string, readonly string[]> = {
  pure: ['tests/contract/', 'tests/trading/', 'tests/ui/', 'tests/support/', 'tests/report/'],
  data: ['tests/data/', 'tests/features/'],
  server: ['tests/server/', 'tests/notify/'],
  access: ['tests/server/access.test.ts'],
  attack: ['tests/attack/'],
  kills: ['tests/kill.test.ts', 'tests/faults/'],
  house: ['tests/house.test.ts'],
}
const PARTS = ['types', 'lint', ...Object.keys(FILES), 'browser', 'guards']
const strange = asked.filter((name) => !PARTS.includes(name))
if (strange.length > 0 || (tier !== undefined && !soak)) {
  console.error(`用法：npm test，npm run soak，或 npm run soak -- <部分>；部分有 ${PARTS.join('、')}。`)
  process.exit(1)
}
const wanted = (part: string) => asked.length === 0 || asked.includes(part)

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

const reported = (name: string) => {
  const file = join(scratch, `${name}.json`)
  return { env: { LINGBO_OUTCOME: file }, report: unitOutcome(file) }
}
/** Vitest on the files of the parts that are asked for; on all files of its projects when none is. */
function vitestOf(name: string, parts: readonly string[], ...projects: string[]): Step | null {
  const chosen = parts.filter((part) => asked.includes(part)).flatMap((part) => FILES[part] ?? [])
  if (asked.length > 0 && chosen.length === 0) return null
  const chosen_projects = projects.map((project) => `--project=${project}`)
  return {
    ...{ name, command: node, ...reported(name) },
    args: [...vitest, '--reporter=dot', '--passWithNoTests', ...chosen_projects, ...chosen],
  }
}

// The build writes the route tree that the types of the screens need.
const build: Step = { name: 'build', command: node, args: ['server/cli/build.ts'] }
const built = (await step(build)).failures.length === 0
// What kills, cuts off and fills up waits for processes and disks most of its time: that time is the others'. Each of the two
// runs has a PostgreSQL of its own, and within the second order is kept (vitest.config.ts). Types and lint take what is left.
const parts = Object.keys(FILES)
const vitests = [
  vitestOf('unit and server', parts, 'rooms', 'pure', 'server'),
  vitestOf('kills and faults', parts, 'kills', 'alone'),
].filter((one) => one !== null)
const checks: Step[] = [
  { name: 'types', command: 'tsc', args: ['-b', '--checkers', '1'], gives_way: true },
  { name: 'lint', command: 'biome', args: ['check', '.'], gives_way: true },
]
const [outcomes] = await Promise.all([
  Promise.all(vitests.map((one, at) => step(one, at > 0))),
  Promise.all(checks.filter(({ name }) => wanted(name)).map((one) => step(one, true))),
])
const units = outcomes.flatMap(({ failures }) => failures)
if (units.length > 0) {
  const files = [...new Set(units.map(({ name }) => name.split(/:| › /)[0] as string))]
  const there = files.filter((file) => existsSync(join(ROOT, file))).slice(0, 10)
  const once = there.length > 0 ? again([...vitest, '--reporter=default', ...there], reported('again')) : null
  reasons.push(...told(units, once))
}

if (built && wanted('browser')) {
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
// Each guard taken out turns the tests of npm test red (docs/faults.md).
if (soak && wanted('guards')) await step({ name: 'guards', command: node, args: ['tests/guards/run.ts'] })
rmSync(scratch, { recursive: true, force: true })

const why = reasons.length > 0 ? `── 未通過\n${reasons.join('\n')}\n\n` : ''
process.stdout.write(`\n${why}${lines.join('\n')}\n\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
