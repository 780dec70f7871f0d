// The log of access on the screen: which moment the address names, and what each change is called.
import { describe, expect, test } from 'vitest'
import type { AccessChange } from '#contract/access.ts'
import { actorWords, changeWords, daysWords, momentOf } from '#features/organization/access-words.ts'

const NOW = Date.parse('2026-11-26T03:00:00.000Z') // 11:00 in Taipei

describe('the moment', () => {
  test('nothing, or today, is now; an earlier day is its end; a time is that minute of Taipei', () => {
    expect(momentOf(undefined, undefined, NOW)).toEqual({})
    expect(momentOf('2026-11-26', undefined, NOW)).toEqual({})
    expect(momentOf('2026-11-20', undefined, NOW)).toEqual({ at: '2026-11-20T15:59:59.999Z' })
    expect(momentOf('2026-11-20', '09:30', NOW)).toEqual({ at: '2026-11-20T01:30:00.000Z' })
    expect(momentOf(undefined, '10:59', NOW)).toEqual({ at: '2026-11-26T02:59:00.000Z' })
  })
  test('what is no day, or has not come yet, is said at its field', () => {
    expect(momentOf('2026-02-30', undefined, NOW).error).toEqual({ on: '沒有這一天，請寫成 2026/12/31' })
    expect(momentOf('2026-11-27', undefined, NOW).error).toEqual({ on: '這一天還沒有到，請選今天或更早' })
    expect(momentOf('2026-11-26', '11:01', NOW).error).toEqual({ time: '這個時刻還沒有到' })
    expect(momentOf('2026-11-20', '25:00', NOW).error).toEqual({ time: '時間請寫成 09:30' })
  })
})

describe('the words of a change', () => {
  const days = (starts_on: string, ends_on: string | null, role: 'admin' | 'member' | null = null) => ({
    ...{ role, starts_on, ends_on },
  })
  const change = (over: Partial<AccessChange>): AccessChange => ({
    ...{ id: 'x', at: '2026-11-20T02:00:00.000Z', kind: 'granted', fact: 'place' },
    ...{
      user: { id: 'u', name: '王小明' },
      strategy: { id: 's', name: '海風乙' },
      group: { id: 'g', name: '台指班' },
    },
    ...{ actor: { id: 'a', name: '林站長' }, before: null, after: days('2026-11-20', null) },
    ...over,
  })
  const plain = (name: string) => name
  const words = (over: Partial<AccessChange>) => changeWords(change(over), plain, null)

  test('each kind of each fact', () => {
    const member = days('2026-11-20', null, 'member')
    const admin = days('2026-11-20', null, 'admin')
    expect([
      words({ fact: 'membership', after: member }),
      words({ fact: 'membership', kind: 'changed', before: member, after: admin }),
      words({
        fact: 'membership',
        kind: 'changed',
        before: member,
        after: days('2026-11-21', null, 'member'),
      }),
      words({ fact: 'membership', kind: 'ended', actor: { id: 'u', name: '王小明' } }),
      words({ fact: 'membership', kind: 'ended' }),
      words({}),
      words({ kind: 'changed' }),
      words({ kind: 'ended' }),
      words({ fact: 'gift' }),
      words({ fact: 'gift', kind: 'changed' }),
      words({ fact: 'gift', kind: 'ended' }),
      words({ fact: 'strategy' }),
      words({ fact: 'strategy', kind: 'ended' }),
      words({ fact: 'view', kind: 'viewed', after: null }),
    ]).toEqual([
      '王小明 加入組織，成員',
      '王小明 改為管理者',
      '王小明 的成員期間改變',
      '王小明 離開組織',
      '王小明 移出組織',
      '王小明 加入群組「台指班」',
      '王小明 在群組「台指班」的期間改變',
      '王小明 移出群組「台指班」',
      '群組「台指班」加入策略「海風乙」',
      '策略「海風乙」在群組「台指班」的期間改變',
      '群組「台指班」移出策略「海風乙」',
      '建立策略「海風乙」',
      '刪除策略「海風乙」',
      '以 王小明 的身分檢視',
    ])
  })
  test('what has no name any more, and names in privacy mode', () => {
    const nameless = (id: string) => ({ id, name: null })
    expect(words({ user: nameless('u'), group: nameless('g') })).toBe('已刪除的使用者 加入群組已刪除的群組')
    expect(words({ fact: 'strategy', kind: 'ended', strategy: nameless('s') })).toBe('刪除策略已刪除的策略')
    expect(changeWords(change({}), () => '***', null)).toBe('*** 加入群組「台指班」')
    expect(actorWords(change({}), () => '***')).toBe('***')
  })
  test('who made it, and what stood when the log began', () => {
    expect(actorWords(change({ actor: null }), plain)).toBe('沒有記下是誰')
    expect(actorWords(change({ actor: { id: 'system', name: null } }), plain)).toBe('自動')
    const first = change({ actor: null })
    expect(changeWords(first, plain, first.at)).toBe('王小明 已經在群組「台指班」')
  })
  test('the days, those of before where they were others, and that they are over', () => {
    const at = '2026-11-26T03:00:00.000Z'
    expect(daysWords(change({}), at)).toBe('2026/11/20 起')
    expect(
      daysWords(change({ before: days('2026-11-20', null), after: days('2026-11-20', '2026-11-25') }), at),
    ).toBe('2026/11/20 – 2026/11/25（原本 2026/11/20 起），2026/11/25 已到期')
    expect(daysWords(change({ kind: 'ended', after: null }), at)).toBeNull()
  })
})
