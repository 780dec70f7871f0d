// What failed in a run and why, short enough to stand at its end: whoever sees only the last lines of the output knows what to look for.
import { existsSync, readFileSync } from 'node:fs'

/** Name of the attachment with what stood on the pages when a test failed (tests/support/stood.ts). */
export const STOOD = 'what stood there'

export interface Failure {
  name: string
  /** What the runner said; its first lines are printed. */
  message: string
  /** What stood on the pages of a browser test; its first lines are printed. */
  page?: string
}

export interface Outcome {
  passed: number
  failures: Failure[]
}

interface Attachment {
  name: string
  path?: string
  /** base64 */
  body?: string
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs?: {
    title: string
    file: string
    line: number
    tests: {
      projectName: string
      status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
      results: { errors: { message?: string }[]; attachments?: Attachment[] }[]
    }[]
  }[]
}

export interface PlaywrightReport extends PlaywrightSuite {
  stats: { expected: number }
  errors: { message?: string }[]
}

/** What Playwright's JSON report says. */
export function ofPlaywright(report: PlaywrightReport): Outcome {
  const failures = failedIn(report)
  for (const { message = '' } of report.errors) failures.push({ name: 'browser: outside any test', message })
  return { passed: report.stats.expected, failures }
}

function failedIn({ suites = [], specs = [] }: PlaywrightSuite): Failure[] {
  return [
    ...specs.flatMap(({ title, file, line, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ projectName, results }) => ({
          name: `[${projectName}] ${file}:${line} › ${title}`,
          message: results.flatMap(({ errors }) => errors.map(({ message = '' }) => message)).join('\n'),
          page: pageOf(results.flatMap(({ attachments = [] }) => attachments)),
        })),
    ),
    ...suites.flatMap(failedIn),
  ]
}

/** What our own fixture attached, else the snapshot of the runner: the next run empties the folder in which it lies. */
function pageOf(attachments: Attachment[]): string {
  const [own, runner] = [STOOD, 'error-context'].map((name) => attachments.find((one) => one.name === name))
  if (own?.body) return Buffer.from(own.body, 'base64').toString()
  if (!runner?.path || !existsSync(runner.path)) return ''
  const [, snapshot = ''] =
    /^# Page snapshot\n+```yaml\n(.*?)^```/ms.exec(readFileSync(runner.path, 'utf8')) ?? []
  return snapshot.replaceAll(/ \[(?:ref|cursor)=[^\]]*\]/g, '')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one
const COLOURS = /\u001b\[[\d;]*m/g

/** The first `most` lines that say something, none of them long. */
function lines(text: string, most: number): string[] {
  const all = text.replace(COLOURS, '').split('\n')
  const telling = all.filter((line) => line.trim() !== '' && !/^\s*- \/url:/.test(line))
  return telling.slice(0, most).map((line) => `    ${line.slice(0, 160)}`)
}

/**
 * The lines to print: each failure with the first lines of its message and of what stood on the page, and how it went when it
 * was tried once more. Of some runs only the last 12 KB are kept: many failures say less each.
 */
export function told(failures: Failure[], again: Outcome | null, most = 80): string[] {
  if (failures.length === 0) return []
  const still = new Set(again?.failures.map(({ name }) => name))
  const verdict = ({ name }: Failure) =>
    again === null ? '' : still.has(name) ? '（再跑一次仍失敗）' : '（再跑一次通過：時好時壞）'
  const share = Math.floor(most / failures.length) - 1
  const each = Math.max(0, Math.min(12, share))
  const seen = Math.max(0, Math.min(40, share - each))
  return failures.flatMap((failure) => [
    `✗ ${failure.name}${verdict(failure)}`,
    ...lines(failure.message, each),
    ...lines(failure.page ?? '', seen),
  ])
}
