// What failed in a run and why, short enough to stand at its end: whoever sees only the last lines of the output knows what to look for.

export interface Failure {
  name: string
  /** What the runner said; its first lines are printed. */
  message: string
}

export interface Outcome {
  passed: number
  failures: Failure[]
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
      results: { errors: { message?: string }[] }[]
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
        })),
    ),
    ...suites.flatMap(failedIn),
  ]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with one
const COLOURS = /\u001b\[[\d;]*m/g

/** The lines to print: each failure with the first lines of its message, and how it went when it was tried once more. */
export function told(failures: Failure[], again: Outcome | null, most = 80): string[] {
  if (failures.length === 0) return []
  const still = new Set(again?.failures.map(({ name }) => name))
  const verdict = ({ name }: Failure) =>
    again === null ? '' : still.has(name) ? '（再跑一次仍失敗）' : '（再跑一次通過：時好時壞）'
  const each = Math.max(0, Math.min(12, Math.floor(most / failures.length) - 1))
  return failures.flatMap((failure) => [
    `✗ ${failure.name}${verdict(failure)}`,
    ...failure.message
      .replace(COLOURS, '')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, each)
      .map((line) => `    ${line.slice(0, 200)}`),
  ])
}
