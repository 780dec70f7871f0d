// TradingView's default strategy message: «name (inputs): order buy @ 1 filled on TXF1!. New strategy position is 1».
import { flatLeaves, type Leaf } from '../leaf.ts'
import { isTrial } from '../vocabulary/free-text.ts'
import { type Format, SEVERAL, unread } from './message.ts'

const SENTENCE =
  /order (buy|sell) @ ([\d.,]{1,20}) filled on (\S{1,60}?)\.? New strategy position is (-?[\d.,]{1,20}?)\.?(?= |$)/i

const TAKEN_BACK = /不要|請勿|忽略|取消|模擬|^[[(]?test[\])]?$/i

/** The strategy's name in front becomes the note; what stands behind the sentence is accounted for like any other text. */
export const sentence: Format = {
  id: 'sentence',
  read(text, body) {
    const line = text.split(/\s+/).join(' ')
    const m = SENTENCE.exec(line)
    if (!m) return null
    const [found, action = '', contracts = '', ticker = '', position = ''] = m
    const behind = line.slice(m.index + found.length).trim()
    if (SENTENCE.test(behind)) return unread('several_orders', SEVERAL)
    const name = line.slice(0, m.index).replace(/:? ?$/, '').trim()
    const leaves: Leaf[] = flatLeaves([
      ['action', 'action', action],
      ['contracts', 'contracts', contracts],
      ['ticker', 'ticker', ticker],
      ['position_size', 'position_size', position],
      ['note', 'note', name],
    ])
    // A strategy may be called anything, but not by a word that takes its order back.
    const against = name.split(/[\s:：]+/).find((word) => isTrial(word) || TAKEN_BACK.test(word))
    if (against !== undefined)
      leaves.push({ path: '#outside', name: '', value: against.slice(0, 500), zone: 'unknown', inside: [] })
    if (behind !== '')
      leaves.push({ path: '#outside', name: '', value: behind.slice(0, 500), zone: 'unknown', inside: [] })
    return { kind: 'message', shape: 'sentence', leaves, secret: null, clean: body }
  },
}
