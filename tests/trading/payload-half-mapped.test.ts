// Messages under a webhook's own settings (a mapping, 「任何訊息視為」, a format) that fit them only in part: read as meant, or refused.
import { describe, expect, test } from 'vitest'
import type { Mapping, UnparsedRule } from '#trading/reader/shape.ts'
import { type CorpusEntry, differences, inputFor, linesOf, summary } from './corpus.ts'
import { Desk } from './formats.ts'

type Entry = CorpusEntry & { mapping?: Mapping; unparsed_rule?: UnparsedRule }

const ROOT = new URL('../fixtures/half-mapped/', import.meta.url)

describe.each(['mapping', 'rules', 'formats', 'judged'])('%s', (file) => {
  const entries = linesOf<Entry>(new URL(`${file}.jsonl`, ROOT))
  test.each(entries.map((entry) => [entry.name, entry] as const))('%s', (_, entry) => {
    const { mapping = null, unparsed_rule = null } = entry
    const input = { ...inputFor(entry), mapping, unparsed_rule }
    const desk = new Desk(entry.format === 'multicharts')
    let out = desk.read(input)
    if (out.kind === 'held' && desk.confirm(entry, input)) out = desk.read(input)
    if (out.kind === 'signal') expect(differences(entry, out), summary(out)).toEqual([])
    else if (out.kind === 'rejected' || out.kind === 'held') expect(out.reason).toMatch(/[一-鿿].*請/)
  })
})
