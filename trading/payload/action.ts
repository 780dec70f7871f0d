// Which action a message means: its word, its 新平倉別, or the strategy's default (domain §4.5, 7).
import type { Action } from '../record.ts'
import { ALIASES, type Fields, pick, type Scalar } from './fields.ts'
import { mappedWord } from './mapping.ts'
import type { Mapping, PayloadFormat, PayloadStrategy, ReadReason } from './shape.ts'
import { placeholderIn } from './values.ts'
import { contentOf, meaningOf, settle } from './words.ts'

export type ActionRead =
  | { ok: true; action: Action; forced: boolean }
  | { ok: false; code: ReadReason; field: string; reason: string }

/** The action; a reported position makes it a target whatever the words say, as long as they are filled in. */
export function actionOf(
  fields: Fields,
  has_position: boolean,
  format: PayloadFormat,
  mapping: Mapping | null,
  strategy: PayloadStrategy,
): ActionRead {
  const found = spoken(fields, format, mapping)
  const word = found ? String(found.value) : ''
  const variable = placeholderIn(word)
  if (variable)
    return {
      ok: false,
      code: 'unresolved_placeholder',
      field: found?.key ?? variable,
      reason: `訊息含有未替換的變數 ${variable}，此變數只能用在策略快訊`,
    }
  const forced = word.includes('強制平倉')
  if (has_position) return { ok: true, action: 'target', forced }
  if (!found) return byDefault(fields, strategy)
  const meaning = mappedWord(word, mapping) ?? meaningOf(word, format === 'multicharts')
  const shown = word.slice(0, 40)
  if (meaning === 'reverse')
    return unknown(found.key, `動作「${shown}」（反手）需要一併送出部位：請加上欄位 position_size`)
  if (meaning === null || meaning === 'target')
    return unknown(
      found.key,
      `看不懂動作「${shown}」（欄位 ${found.key}）：請改用 buy、sell、long_entry、long_exit、short_entry、short_exit 或 close_all`,
    )
  const action = settle(meaning, strategy.direction)
  const flag = String(pick(fields, 'open_close')?.value ?? '')
  if (action === 'buy' && flag !== '')
    return { ok: true, action: opened(flag, 'long_entry', 'short_exit', action), forced }
  if (action === 'sell' && flag !== '')
    return { ok: true, action: opened(flag, 'short_entry', 'long_exit', action), forced }
  return { ok: true, action, forced }
}

/** The field that says the action. `action` itself must be understood; `type`, `order` and the like often mean other things. */
function spoken(
  fields: Fields,
  format: PayloadFormat,
  mapping: Mapping | null,
): { key: string; value: Scalar } | undefined {
  const first = pick(fields, 'action')
  if (first === undefined || first.key === 'action') return first
  for (const key of ALIASES.action) {
    const word = String(fields.get(key) ?? '')
    const known =
      mappedWord(word, mapping) ?? meaningOf(word, format === 'multicharts') ?? placeholderIn(word)
    if (known !== null) return { key, value: word }
  }
  return first
}

/** Brokers' opencloseflag: 0 新倉, 1 平倉, else automatic. */
function opened(flag: string, entry: Action, exit: Action, neutral: Action): Action {
  return flag === '0' ? entry : flag === '1' ? exit : neutral
}

/** XQ's radar lines name no action: the strategy says what a trigger means. */
function byDefault(fields: Fields, strategy: PayloadStrategy): ActionRead {
  const rule = strategy.kind === 'xq-stock' ? (strategy.default_action ?? 'entry') : null
  const missing: ActionRead = {
    ok: false,
    code: 'missing_field',
    field: 'action',
    reason: '訊息缺少動作：請加上欄位 action，例如 "action":"buy"',
  }
  if (rule === null) return missing
  const meaning = rule === 'by_content' ? contentOf(String(pick(fields, 'note')?.value ?? '')) : rule
  return meaning === null ? missing : { ok: true, action: settle(meaning, strategy.direction), forced: false }
}

function unknown(field: string, reason: string): ActionRead {
  return { ok: false, code: 'unknown_action', field, reason }
}
