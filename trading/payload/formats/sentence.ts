// TradingView's default strategy message: «name (inputs): order buy @ 1 filled on TXF1!. New strategy position is 1».
import { flatLeaves, type Leaf } from '../leaf.ts'
import { isDoubted, isTrial } from '../vocabulary/free-text.ts'
import { otherWord } from '../vocabulary/words.ts'
import { type Format, SEVERAL, unread } from './message.ts'

/** In English, and as TradingView's Chinese screens write it: 訂單buy @ 1已成交TXF1!。新策略倉位是1. */
const SENTENCE =
  /order (buy|sell) @ ([\d.,]{1,20}) filled on (\S{1,60}?)\.? New strategy position is (-?[\d.,]{1,20}?)\.?(?= |$)/i
const CHINESE =
  /[訂订][單单] ?(buy|sell) ?@ ?([\d.,]{1,20}) ?已?成交 ?([^\s。]{1,60})。 ?新策略[倉仓]位[是為为]? ?(-?[\d.,]{1,20}?)[.。]?(?= |$)/i

const TAKEN_BACK = /不要|請勿|忽略|取消|模擬|^[[(]?test[\])]?$/i
const LABEL = /^[[(（【]([^\])）】]{1,20})[\])）】]$/
/** A name with its inputs, (12, 26), is a strategy's; without them it may be a label. */
const INPUTS = /[(（]/

/** What takes the order back in front of it. A strategy may be called anything, but not by a word that does so. */
export function against(front: string): string | undefined {
  const trial = (text: string) => isTrial(text) || otherWord(text) === 'test'
  const word = front
    .split(/[\s:：]+/)
    .find((one) => isTrial(one) || TAKEN_BACK.test(one) || trial(LABEL.exec(one)?.[1] ?? ''))
  if (word !== undefined || INPUTS.test(front)) return word
  return trial(front) || otherWord(front) === 'not_a_trade' || isDoubted(front.slice(0, 20))
    ? front
    : undefined
}

/** The strategy's name in front becomes the note; what stands behind the sentence is accounted for like any other text. */
export const sentence: Format = {
  id: 'sentence',
  read(text, body) {
    const line = text.split(/\s+/).join(' ')
    if (!line.includes('@')) return null
    const m = SENTENCE.exec(line) ?? CHINESE.exec(line)
    if (!m) return null
    const [found, action = '', contracts = '', ticker = '', position = ''] = m
    const behind = line.slice(m.index + found.length).trim()
    if (SENTENCE.test(behind) || CHINESE.test(behind)) return unread('several_orders', SEVERAL)
    const name = line
      .slice(0, m.index)
      .replace(/[:：]? ?$/, '')
      .trim()
    const leaves: Leaf[] = flatLeaves([
      ['action', 'action', action],
      ['contracts', 'contracts', contracts],
      ['ticker', 'ticker', ticker],
      ['position_size', 'position_size', position],
      ['note', 'note', name],
    ])
    for (const beside of [against(name), behind])
      if (beside)
        leaves.push({ path: '#outside', name: '', value: beside.slice(0, 500), zone: 'unknown', inside: [] })
    return { kind: 'message', shape: 'sentence', leaves, secret: null, clean: body }
  },
}
