/* A price as it is typed, read exactly as the server will read it. */
import { PRICE_MAX } from '#trading/record.ts'
import { number } from './format.ts'

/** Decimal text → number, or the sentence that says what is wrong with it; `name` what is asked for. */
export function typedPrice(typed: string, name: string): { price: number } | { error: string } {
  const text = typed.trim()
  if (text === '') return { error: `請輸入${name}` }
  if (!/^\d{1,7}(\.\d{1,4})?$/.test(text)) return { error: '請輸入數字，最多四位小數' }
  const price = Number(text)
  return price <= 0 || price > PRICE_MAX ? { error: `價格要大於 0，最多 ${number(PRICE_MAX)}` } : { price }
}
