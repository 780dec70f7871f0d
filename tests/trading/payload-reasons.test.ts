// Reasons that sent people the wrong way: each says now what is the matter, and nothing that would make it worse.
import { expect, test } from 'vitest'
import { refusal, STOCK } from './payload.ts'

const XQ = { ...STOCK, kind: 'xq-stock', default_action: 'by_content' } as const

test.each([
  ['20261120091500 46520 46400 新買', {}, '只寫一個價格', '股票策略'],
  ['小台 買進 2口 46512', {}, '若 46512 是價格，請用欄位 price 或寫成 @46512', null],
  ['MXF1!,buy,46,512,1', {}, '千分位逗號', '時間'],
  ['{"symbol":"MXFK6","action":"buy","qty":1}', {}, '例如 MXF1!', 'TXF1!'],
  ['20261120.000000 91500.000000 2330.TW 1085.00 外資買超 買進', XQ, '「依內容」看不出', '欄位 action'],
  ['1151120 091500 46520 新買', {}, '「1151120091500」', '2015'],
  ['小台買進1口 已取消', {}, '像是說不動作、取消', '看不懂的訊息'],
  ['<order><symbol>MXF1!</symbol></order>', {}, 'XML', '看不懂的訊息'],
  ['{"symbol":"50","action":"buy","qty":1}', STOCK, '"0050"', null],
  ['{"action":"buy","symbol":"MXF1!","qty":-2}', {}, '請送正整數', '999,999,999'],
] as const)('%s', (body, strategy, says, never) => {
  const { reason } = refusal(body, {}, strategy)
  expect(reason).toContain(says)
  if (never !== null) expect(reason).not.toContain(never)
})
