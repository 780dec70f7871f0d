// The rows of domain §§3, 5.5, 7.3–7.6 name the tests that prove them: docs/domain-proof.md is read, and its titles are looked for.
import { expect, test } from 'vitest'
import { ROWS } from '#tests/fixtures/strategy-rows.ts'
import { missing, proofRows } from '#tests/support/proofs.ts'

const rows = proofRows('docs/domain-proof.md', /^\| \d\.\d \|/)
const PAGE = '$row ($kind)'

test('every row has its proof, or says what is not there and why', () => {
  const wrong = rows.flatMap(([section, row, proof]) =>
    proof.startsWith('not: ') && proof.length > 20
      ? []
      : proof
          .split(/; (?=tests\/)/)
          .map(missing)
          .flatMap((fault) => (fault === null ? [] : [`§${section} ${row}: ${fault}`])),
  )
  expect(wrong).toEqual([])
  expect(rows.length).toBeGreaterThanOrEqual(95)
  expect([...new Set(rows.map(([section]) => section))]).toEqual([
    ...['3.1', '3.2', '3.3', '3.4', '5.5', '7.3', '7.4', '7.5', '7.6'],
  ])
})

test('a field of the forms that the page names stands in their table of tried texts, and the other way round', () => {
  const named = rows.filter(([, , proof]) => proof.includes(PAGE)).map(([, row]) => row)
  // the other fields are of wire §4 and say so
  const tried = new Set(ROWS.map(([row]) => row).filter((row) => !row.includes('wire §4')))
  const hint =
    'a row of docs/domain-proof.md is missing; or the field is none of domain §7.3: say (wire §4) in its name'
  expect([...tried].map((row) => row.split(' ')[0]).toSorted(), hint).toEqual(named.toSorted())
})

test('what is not there is found', () => {
  expect(missing('tests/domain-proof.test.ts › what is not there is found')).toBeNull()
  for (const bad of ['tests/domain-proof.test.ts › no such row', 'tests/none.test.ts › every row', 'later'])
    expect(missing(bad), bad).not.toBeNull()
})
