// Every regular expression of server, contract and trading (T28) against inputs made to be slow for it: all of the size a webhook takes, none takes long.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { HOOK_BODY_BYTES } from '#contract/limits.ts'
import { fc } from '#tests/support/property.ts'
import { SOAK } from '#tests/support/tier.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ROOMS = ['contract', 'server', 'trading']
/** The slowest of ours takes half a second for all its inputs, nearly all a few milliseconds; one that backtracks takes minutes or for ever. */
const LIMIT_MS = 2_000
/** What the classes stand for. */
const COMMON = ['a', '0', ' ', '\t', '\n', '-', '.', '_', '@', '長', '"', '<', '{', '%', ',', '/']

/** Pattern → where it stands. */
function literals(): Map<string, { where: string; regex: RegExp }> {
  const found = new Map<string, { where: string; regex: RegExp }>()
  for (const room of ROOMS)
    for (const entry of readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.ts')) continue
      const path = join(entry.parentPath, entry.name)
      const { program, errors } = parseSync(path, readFileSync(path, 'utf8'))
      if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
      walk(program, ({ pattern, flags }) => {
        found.set(`/${pattern}/${flags}`, {
          where: path.slice(ROOT.length),
          regex: new RegExp(pattern, flags),
        })
      })
    }
  return found
}

function walk(
  node: unknown,
  note: (regex: { pattern: string; flags: string }) => void,
  seen = new Set<object>(),
): void {
  if (typeof node !== 'object' || node === null || seen.has(node)) return
  seen.add(node)
  if ('regex' in node && typeof node.regex === 'object' && node.regex !== null)
    note(node.regex as { pattern: string; flags: string })
  for (const inner of Object.values(node)) walk(inner, note, seen)
}

/** Inputs that lead this pattern as far as it goes before it fails; those of one letter are as large as a webhook's body. */
function* evil(regex: RegExp): Generator<string> {
  const letters = [...new Set([...regex.source.replace(/\\[a-zA-Z]/g, ''), ...COMMON])].slice(0, 40)
  for (const letter of letters) yield `${letter.repeat(HOOK_BODY_BYTES)}\0`
  const size = HOOK_BODY_BYTES / 8
  for (const first of letters.slice(0, 6))
    for (const second of letters.slice(0, 6)) yield `${(first + second).repeat(size / 2)}\0`
  for (const match of matching(regex))
    for (let i = 0; i < Math.min(match.length, 8); i++) {
      yield `${match.slice(0, i)}${(match[i] ?? '').repeat(size)}${match.slice(i)}\0`
      yield `${match.slice(0, i)}${match.slice(i).repeat(Math.ceil(size / match.length))}\0`
    }
}

function matching(regex: RegExp): string[] {
  // What asserts something about its neighbours would be drawn again and again.
  if (/\\[bBx]|\(\?[=!<]|[^[\\]\^|\$./.test(regex.source)) return []
  try {
    return fc.sample(fc.stringMatching(new RegExp(regex.source)), { seed: 1, numRuns: 2 })
  } catch {
    // Look-arounds and named classes cannot be turned round: the letters have to do.
    return []
  }
}

const context = vm.createContext({ regex: /x/, texts: [''], at: 0 })
// All texts in one run: a watchdog for each of them would cost more than they do.
const script = new vm.Script(
  'for (at = 0; at < texts.length; at++) { regex.lastIndex = 0; regex.test(texts[at]) }',
)

/** The start of the first input that takes too long; null when all together take no time. */
function slow(regex: RegExp, limit_ms = LIMIT_MS): string | null {
  const texts = [...evil(regex)]
  Object.assign(context, { regex, texts })
  // What counts is the processor's time. Where others work, too, the clock runs out before it is used: then once more with twice
  // the time, for with the same it would be tried until the machine is idle.
  for (let clock_ms = limit_ms * 1.1; ; clock_ms *= 2) {
    const before = process.cpuUsage()
    try {
      script.runInContext(context, { timeout: Math.ceil(clock_ms) })
      return null
    } catch {
      const { user, system } = process.cpuUsage(before)
      if ((user + system) / 1_000 >= limit_ms) return (texts[context['at'] as number] ?? '').slice(0, 40)
    }
  }
}

test('none is slow', () => {
  const all = literals()
  expect(all.size).toBeGreaterThan(80)
  const found = [...all].flatMap(([name, { where, regex }]) => {
    const text = slow(regex)
    return text === null ? [] : [`${where}: ${name} on ${JSON.stringify(text)}…`]
  })
  expect(found).toEqual([])
})

/** What never comes to an end is as slow after a tenth of the time; only the last one does. */
test.runIf(SOAK).each([
  [/^(a+)+$/, LIMIT_MS / 10],
  [/^(\w|\d)+$/, LIMIT_MS / 10],
  [/(\s*,?)*x/, LIMIT_MS / 10],
  [/^(長|長長)*$/, LIMIT_MS / 10],
  [/\s+$/, LIMIT_MS],
])('%s would be found', (regex, limit_ms) => {
  expect(slow(regex, limit_ms)).not.toBeNull()
})
