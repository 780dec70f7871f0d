// A port that a test was given is nobody else's, also while nothing listens there: a server is killed and started again on it.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

// of a number that no worker has
const env = { ...process.env, VITEST_POOL_ID: '7' }
const script = (most: number, end: string) => [
  '--input-type=module',
  '-e',
  `import { freePort } from '${join(import.meta.dirname, 'port.ts')}'
  const given = []
  try { while (given.length < ${most}) given.push(await freePort()) } catch {}
  console.log(JSON.stringify(given))
  ${end}`,
]

test.skipIf(process.platform !== 'linux')(
  'two processes with workers of the same number are given different ones',
  async () => {
    const first = spawn(process.execPath, script(2, 'process.stdin.resume()'), { env })
    onTestFinished(() => void first.kill('SIGKILL'))
    const [line] = (await once(first.stdout.setEncoding('utf8'), 'data')) as [string]
    const held = JSON.parse(line) as number[]
    expect(held).toHaveLength(2)
    const others = execFileSync(process.execPath, script(2_000, 'process.exit()'), { env, encoding: 'utf8' })
    expect((JSON.parse(others) as number[]).filter((port) => held.includes(port))).toEqual([])
  },
)
