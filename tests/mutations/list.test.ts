// Every change of the list stands where it says, exactly once: a source that moved would leave `npm run bench -- mutations` without it.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { MUTATIONS } from './list.ts'

const ROOT = resolve(import.meta.dirname, '../..')

test.each(MUTATIONS)('$name', ({ changes }) => {
  for (const { file, from, to } of changes) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    expect([file, from, text.split(from).length - 1]).toEqual([file, from, 1])
    expect(to).not.toBe(from)
  }
})
