// XQ's radar lines name no action: what a trigger means the strategy says, unless the line's own text says another (domain §4.3).
import { KINDS } from '../kinds.ts'
import { type AskedDirection, missingAction } from './direction.ts'
import { quoted, Refusal } from './refusal.ts'
import type { PayloadStrategy } from './shape.ts'
import { contentOf, isDoubted, isTrial, says } from './vocabulary/free-text.ts'

/** What a trigger asks for under a strategy. Throws a Refusal. */
export function askByDefault(note: string, strategy: PayloadStrategy): AskedDirection {
  if (!KINDS[strategy.kind].triggers) return missingAction()
  const rule = strategy.default_action ?? 'entry'
  if (isDoubted(note) || isTrial(note))
    throw new Refusal(
      'contradiction',
      'note',
      `訊息的文字${quoted(note)}像是說不動作，不能當成觸發：請在 XQ 的腳本裡改掉這段文字，或寫明動作`,
    )
  const verb = rule === 'by_content' ? contentOf(note) : rule
  const against =
    rule === 'by_content'
      ? undefined
      : note.split(/[\s,，、;；。:：]+/).find((word) => says(word, rule === 'entry' ? 'out' : 'in'))
  if (against !== undefined)
    throw new Refusal(
      'contradiction',
      'note',
      `策略設定「觸發視為」${rule === 'entry' ? '進場' : '出場'}，但訊息寫著${quoted(against)}：請改成「依內容」，或在訊息裡寫明動作`,
    )
  if (verb === null)
    throw new Refusal(
      'missing_field',
      'action',
      `「依內容」看不出這則是進場還是出場${note === '' ? '' : quoted(note)}：請在 XQ 的腳本裡只寫一個動作，例如 買進 或 出場`,
    )
  return { verb, neutral: null, side: null, forced: false, key: 'action' }
}
