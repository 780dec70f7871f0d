/* Words of mappings: fields, what a leaf became, units, and what a mapping would change. */
import type { MappingImpact, Trial } from '#contract/mapping.ts'
import type { Mapping } from '#contract/webhook.ts'
import { readAs } from '#text/read-as.ts'
import { UNIT_FACTS } from '#trading/kinds.ts'
import { MAPPING_FIELDS, type MappingField, type ReadAs } from '#trading/reader/shape.ts'
import { ACTIONS, UNITS } from '#trading/record.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import type { IconName } from '#ui/icons.ts'
import type { TagTone } from '#ui/Tag.tsx'

export const FIELD_WORDS: Record<MappingField, string> = {
  symbol: '商品',
  action: '動作',
  quantity: '數量',
  price: '價格',
  time: '時間',
  position: '部位',
  id: '編號',
  note: '備註',
}

export const AS_WORDS: Record<ReadAs, string> = {
  symbol: '商品',
  month: '合約月份',
  action: '動作',
  side: '方向',
  open_close: '新倉平倉',
  quantity: '數量',
  price: '價格',
  time: '時間',
  position: '部位',
  prev: '原部位',
  id: '編號',
  note: '備註',
  timeframe: '週期',
  order_kind: '委託種類',
  test: '測試',
  weightless: '不影響',
  kept: '只保留',
  ignored: '已忽略',
  unknown: '不認得',
}

export const UNIT_OPTIONS = UNITS.map((value) => ({ value, label: UNIT_FACTS[value].word }))
export const ACTION_OPTIONS = ACTIONS.map((value) => ({ value, label: ACTION_WORDS[value] }))

type Change = MappingImpact['rows'][number]['change']
export const CHANGES: Record<Change, { text: string; tone: TagTone; icon: IconName }> = {
  newly_readable: { text: '變成讀得懂', tone: 'good', icon: 'check' },
  changed: { text: '讀法改變', tone: 'warn', icon: 'refresh' },
  becomes_unreadable: { text: '變成看不懂', tone: 'danger', icon: 'close' },
}

/** 「3 則會改變，0 則變成看不懂」 */
export function impactWords({ counts }: Pick<MappingImpact, 'counts'>): string {
  return `${counts.changed + counts.newly_readable} 則會改變，${counts.becomes_unreadable} 則變成看不懂`
}

/** What a message came to, in one line: the signal, or why there is none. */
export function trialWords({ outcome, reason, normal }: Trial): string {
  const signal = outcome === 'accepted' || outcome === 'late'
  return (signal ? readAs(normal) : reason) ?? reason ?? '沒有可顯示的內容'
}

/** A stored mapping as lines: name and value. */
export function mappingRows(mapping: Mapping): { label: string; value: string }[] {
  const { fields, words, units, ignore, id_is_unique, strict, sequence } = mapping
  const rows: [string, string][] = MAPPING_FIELDS.flatMap((field): [string, string][] => {
    const source = fields[field]
    if (source === undefined) return []
    return [[FIELD_WORDS[field], typeof source === 'string' ? source : `固定「${source.const}」`]]
  })
  for (const [word, action] of Object.entries(words)) rows.push([`「${word}」`, ACTION_WORDS[action]])
  for (const [word, unit] of Object.entries(units))
    rows.push([word === '' ? '沒寫單位的數量' : `單位「${word}」`, UNIT_FACTS[unit].word])
  if (ignore.length > 0) rows.push(['忽略的欄位', ignore.join('、')])
  if (sequence !== undefined) rows.push(['來源的序號', sequence])
  if (id_is_unique) rows.push(['編號', '不會重複'])
  if (strict) rows.push(['其他格式', '不收'])
  return rows.map(([label, value]) => ({ label, value }))
}
