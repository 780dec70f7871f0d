// A mapping that fits a message only in part: what it says and what the message says must agree, and no default stands in for what it
// looks for and does not find (wire §5, Mapping).
import type { Flag } from '../record.ts'
import { ownMeaning } from './direction.ts'
import { quoted, Refusal } from './refusal.ts'
import type { Mapping } from './shape.ts'
import type { Uses } from './uses.ts'
import { meaningOf } from './vocabulary/words.ts'

/** The action under its usual name, read and another than the mapped one. Throws a Refusal. */
export function otherAction(uses: Uses, mapping: Mapping | null): void {
  const mapped = uses.said.find((one) => one.mapped && one.field === 'action')
  if (!mapped) return
  const meant = (text: string) => JSON.stringify(ownMeaning(text, mapping) ?? meaningOf(text))
  for (const { path, value } of uses.beside) {
    const other = meant(String(value))
    if (other === 'null' || other === meant(String(mapped.value))) continue
    throw new Refusal(
      'contradiction',
      path,
      `欄位對應說動作是${quoted(mapped.value)}，訊息的欄位 ${path} 卻是${quoted(value)}：請修改欄位對應，或在裡面忽略「${path.slice(0, 40)}」`,
    )
  }
}

const NAMES = { quantity: '數量', symbol: '商品' } as const

/** The default would be used though the mapping names a place for it. Throws a Refusal. */
export function notByDefault(uses: Uses, flags: readonly Flag[]): void {
  for (const field of ['quantity', 'symbol'] as const) {
    const path = uses.unfound.get(field)
    if (path === undefined || !flags.includes(`default_${field}`)) continue
    throw new Refusal(
      'missing_field',
      path.slice(0, 100),
      `欄位對應說${NAMES[field]}在「${path.slice(0, 60)}」，這則訊息裡沒有：請修改欄位對應，或讓訊息帶上它`,
    )
  }
}
