// A source fell silent, or speaks again: what shows the warning is asked for anew.
import { expect, test } from 'vitest'
import { keys } from '#data/keys.ts'
import type { Hands } from '#data/live/run.ts'
import { strategyEvents } from '#data/nouns/events.ts'

test('strategies and first page are asked for, when it begins and when it is over', () => {
  const asked: unknown[] = []
  const heard = strategyEvents({ ask: (...some) => asked.push(...some) } as Partial<Hands> as Hands)
  for (const since of ['2026-11-20T01:00:00.000Z', null]) {
    asked.length = 0
    heard.silence('personal', { strategy_id: 's1', since })
    expect(asked).toEqual([keys.strategy.all('personal'), keys.dashboard('personal')])
  }
})
