// The contract of a futures record: one that rolls on (近月 C1, 次月 C2), or a month (ruling A28).
import type { ContractRule } from './record.ts'

/** What rolls on, by the rule that means it. */
const ROLLING = { near: 'C1', next: 'C2' } as const satisfies Record<Exclude<ContractRule, 'month'>, string>
const ROLLING_WORDS: Record<string, string> = { [ROLLING.near]: '近月', [ROLLING.next]: '次月' }

/** The contract that a rule means; `month` where it is the rule. */
export function contractOfRule<Month>(rule: ContractRule | null, month: Month): string | Month {
  return rule === 'month' ? month : ROLLING[rule ?? 'near']
}

/** 近月 or 次月; null of a month. */
export function rollingWord(contract: string): string | null {
  return ROLLING_WORDS[contract] ?? null
}

/** 近月, 次月, else the month in its digits; nothing of a stock. */
export function contractWord(contract: string | null): string {
  return contract === null ? '' : (rollingWord(contract) ?? contract)
}
