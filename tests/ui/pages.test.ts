// Every page stands in the tables of who gets in and where one lands after a switch: both are written by hand, from the pages and not from the routes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../support/sources.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const [, union = ''] = /fullPaths:\s*((?:\s*\| '[^']*')+)/.exec(read('src/routeTree.gen.ts')) ?? []
const pages = [...union.matchAll(/'([^']+)'/g)].map(([, path = '']) => path.replace(/(?<=.)\/$/, ''))
/** What leads nowhere, and what stands outside the shell: nobody switches there. */
const NO_PAGE = ['/$']
const OUTSIDE = /^\/($|login|sso|reset-password|token-login|auth\/|test-shadcn)/

/** A page as the tables write it: an id in place of the parameter. */
const written = (path: string) =>
  new RegExp(`['\`]${path.replace(/\$\w+/g, '(?:\\$\\{ID\\}|[0-9a-f-]{36})')}['\`]`)

test.each([
  ['tests/support/addresses.ts', () => true],
  ['tests/ui/after-switch.test.ts', (path: string) => !OUTSIDE.test(path)],
])('%s names every page', (table, concerns) => {
  expect(pages.length).toBeGreaterThan(30)
  const text = read(table)
  const missing = pages.filter(
    (path) => !NO_PAGE.includes(path) && concerns(path) && !written(path).test(text),
  )
  expect(missing, 'each takes one row, with what spec §2 and §4 say of it').toEqual([])
})
