// The reasons that the reader gives for other people's messages name nothing that only the code knows.
import { expect, test } from 'vitest'
import { innerWords, MESSAGE_WORDS, wordsIn } from '#tests/support/inner-words.ts'
import { corpus, inputFor } from '#tests/trading/corpus.ts'
import { readPayload } from '#trading/reader/generic.ts'

test('a reason for somebody’s message names its own words, those that are understood, and nothing else', () => {
  const wrong = corpus().flatMap((one) => {
    const out = readPayload(inputFor(one))
    if (!('reason' in out) || typeof out.reason !== 'string') return []
    const words = innerWords(out.reason, new Set([...MESSAGE_WORDS, ...wordsIn(one.body)]))
    return words.length > 0 ? [`${one.path}: ${words.join(', ')} ← ${out.reason}`] : []
  })
  expect(wrong).toEqual([])
})
