// XQ's radar lines name no action: what a trigger means the strategy says, unless the line's own text says another (domain §4.3).
import { KINDS } from '../kinds.ts'
import { type Ask, missingAction } from './direction.ts'
import { quoted, Refusal } from './refusal.ts'
import type { PayloadStrategy } from './shape.ts'
import { contentOf, isUndone } from './vocabulary/words.ts'

/** Words of a trigger's text that end in what it is for. */
const SAYS_EXIT =
  /(?:出場|平倉|賣出|離場|出清|停損|停利|減碼|了結|放空|做空|翻空)(?:訊號|通知|警示|價)?[!！]*$/
const SAYS_ENTRY = /(?:進場|買進|做多|建倉|加碼|翻多)(?:訊號|通知|警示)?[!！]*$/

/** What a trigger asks for under a strategy. Throws a Refusal. */
export function askByDefault(note: string, strategy: PayloadStrategy): Ask {
  if (!KINDS[strategy.kind].triggers) return missingAction()
  const rule = strategy.default_action ?? 'entry'
  if (isUndone(note))
    throw new Refusal(
      'contradiction',
      'note',
      `訊息的文字${quoted(note)}像是說不動作，不能當成觸發：請在 XQ 的腳本裡改掉這段文字，或寫明動作`,
    )
  const verb = rule === 'by_content' ? contentOf(note) : rule
  const opposite = rule === 'entry' ? SAYS_EXIT : SAYS_ENTRY
  const word =
    rule === 'by_content' ? undefined : note.split(/[\s,，、;；。:：]+/).find((w) => opposite.test(w))
  if (word !== undefined)
    throw new Refusal(
      'contradiction',
      'note',
      `策略設定「觸發視為」${rule === 'entry' ? '進場' : '出場'}，但訊息寫著${quoted(word)}：請改成「依內容」，或在訊息裡寫明動作`,
    )
  return verb === null ? missingAction() : { verb, neutral: null, side: null, forced: false, key: 'action' }
}
