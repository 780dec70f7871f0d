// Vitest's outcome as a file (LINGBO_OUTCOME): tests, files and hooks that failed, and errors that belong to none of them.
import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import type { Failure, Outcome } from './failures.ts'

function message({ message, stack = '', diff }: SerializedError): string {
  const ours = stack.split('\n').filter((line) => /\/(tests|server|src|trading|contract)\//.test(line))
  const places = ours.filter((line) => !line.includes('node_modules')).slice(0, 3)
  return [message, ...places, typeof diff === 'string' ? diff : ''].join('\n')
}

class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failures: Failure[] = []
    let passed = 0
    const failed = (name: string, errors: readonly SerializedError[]) =>
      failures.push({ name, message: errors.map(message).join('\n') })
    for (const module of modules) {
      const file = module.relativeModuleId
      if (module.errors().length > 0) failed(file, module.errors())
      for (const suite of module.children.allSuites())
        if (suite.errors().length > 0) failed(`${file} › ${suite.fullName}`, suite.errors())
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state === 'passed') passed++
        if (state === 'failed') failed(`${file} › ${test.fullName}`, errors)
      }
      // a worker that crashed leaves its file without an end
      if (module.state() === 'pending' || module.state() === 'queued') failed(`${file}: never ended`, [])
    }
    for (const error of unhandled) failed('unit and server: outside any test', [error])
    const outcome: Outcome = { passed, failures }
    const file = process.env['LINGBO_OUTCOME']
    if (file) writeFileSync(file, JSON.stringify(outcome))
  }
}

// Vitest takes a reporter from a path by its default export.
export { OutcomeReporter as default }
