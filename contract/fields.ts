// The building blocks of every schema: bounded texts, numbers, instants and lists with their messages in Chinese.
import * as z from 'zod/mini'
import zhTW from 'zod/v4/locales/zh-TW.js'
import { hasUnseen, withoutBlanks } from '#trading/unseen.ts'

// What a schema does not word itself is worded by the library, in Chinese too.
z.config(zhTW())

// One for all: whoever asks a number for its text makes a new one each time, a millisecond for every bound at every start.
const { format: shown } = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })

/** UUIDv7 in lower case (time-ordered; ids are no secrets). */
export const id = () =>
  z
    .string()
    .check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, '編號格式不正確'))

/** ISO 8601 in UTC with milliseconds, as everything on the wire. */
export const at = () =>
  z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, '時間要用 ISO 8601 UTC，含毫秒'))

/** Calendar date in Asia/Taipei that there is, `YYYY-MM-DD`. */
export const day = () =>
  z.string().check(
    z.regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, '日期要寫成 YYYY-MM-DD'),
    z.refine((value: string) => new Date(`${value}T00:00:00Z`).getUTCDate() === Number(value.slice(8)), {
      error: '沒有這一天，請檢查日期',
      abort: true,
    }),
  )

/** Text of `min` to `max` characters after trimming. */
export const text = (min: number, max: number, message?: string) =>
  z
    .string(message ?? '請輸入文字')
    .check(
      z.trim(),
      z.minLength(min, message ?? (min === 1 ? '這一欄必填' : `至少 ${min} 個字`)),
      z.maxLength(max, `最多 ${shown(max)} 個字`),
      seen(),
    )

/** For every text that somebody enters: nothing in it that no database keeps or that turns what others read. */
export const seen = () => z.refine<string>((value) => !hasControl(value), '含有無法儲存的控制字元')

/** A name: signs that draw nothing are left out, so that none looks empty or like another one. */
export const plain_name = (max: number, message: string) =>
  z
    .string(message)
    .check(
      z.overwrite(withoutBlanks),
      z.trim(),
      z.minLength(1, message),
      z.maxLength(max, `最多 ${shown(max)} 個字`),
      seen(),
    )

/** A name that others meet in lists and mails: one line, and nothing that a mail program turns into a link. */
export const name_text = (max: number, message: string) =>
  plain_name(max, message).check(
    z.refine((value: string) => !LINE_BREAK.test(value), '名稱不能換行'),
    z.refine((value: string) => !hasAddress(value), '名稱不能含有網址或電子郵件'),
  )

const LINE_BREAK = /[\t\n\v\f\r\u0085\u2028\u2029]/
/** Endings that lures use and a name does not; of two letters any is one: they are countries. A mail breaks the dots of all others (mail/messages.ts). */
const ADDRESS =
  /:\/\/|\bwww\.|[^\s@]@[^\s@]+\.|[\p{L}\p{N}-]\.[\p{L}-]{2,}(?:[/?#]|:\d)|\d{1,3}(?:\.\d{1,3}){3}|[\p{L}\p{N}-]\.(?:com|net|org|info|biz|app|dev|page|site|website|online|web|link|click|xyz|top|icu|vip|club|shop|store|buy|sale|live|life|fun|bet|win|bid|loan|cash|money|bank|finance|fund|trade|trading|exchange|market|markets|capital|gold|cloud|host|space|tech|email|mail|chat|social|group|team|work|world|today|news|blog|press|wiki|help|support|services|center|company|agency|academy|pro|mobi|name|asia|games|game|poker|casino|tokyo|taipei|rest|bar|cam|cyou|sbs|quest|bond|monster|beauty|lol|zip|mov|download|stream|racing|review|party|date|science|new|gle|google|[a-z]{2}|台灣|台湾|香港|中國|中国|公司|網路|网络|网址|商城|新加坡)(?![\p{L}\p{N}])/iu
/** «Dr.Wu» and «J.R.Li» are people. */
const PEOPLE = /(?<![\p{L}\p{N}.])(?:(?:Dr|Mr|Mrs|Ms|Prof|St|[A-Z])\.)+(?=[A-Z][a-z]+(?![\p{L}\p{N}./]))/gu

/** True when something in it is written like a web or mail address, in whatever width. */
export function hasAddress(value: string): boolean {
  return ADDRESS.test(value.normalize('NFKC').replaceAll('。', '.').replace(PEOPLE, ''))
}

/** Whole number within bounds; the unit only words the message. */
export const int = (min: number, max: number, unit = '') =>
  z
    .number('請輸入數字')
    .check(
      z.refine(Number.isInteger, '請輸入整數'),
      z.gte(min, `最少 ${shown(min)}${unit && ` ${unit}`}`),
      z.lte(max, `最多 ${shown(max)}${unit && ` ${unit}`}`),
    )

/** JSON number with at most 4 decimals within bounds (prices, rates, amounts). */
export const num = (min: number, max: number, unit = '') =>
  z.number('請輸入數字').check(
    z.refine((value: number) => Number.isFinite(value) && hasFourDecimals(value), '最多四位小數'),
    z.gte(min, `最少 ${shown(min)}${unit && ` ${unit}`}`),
    z.lte(max, `最多 ${shown(max)}${unit && ` ${unit}`}`),
  )

/** Any amount on its way out: at most 4 decimals, negative allowed. */
export const amount = () => z.number()

/** True when the number's shortest text has at most 4 decimals and no exponent. */
function hasFourDecimals(value: number): boolean {
  return /^-?\d+(\.\d{1,4})?$/.test(String(value))
}

/** True for control characters other than tab and line breaks, for lone surrogates (no database keeps those) and marks of direction. */
export function hasControl(value: string): boolean {
  if (hasUnseen(value)) return true
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 127) return true
  }
  return false
}

/** A page number list: `{ items, total, page, page_size }`. */
export const paged = <T extends z.ZodMiniType>(item: T) =>
  z.object({ items: z.array(item), total: z.number(), page: z.number(), page_size: z.number() })

/** A list that grows at one end: `{ items, next_before }`; null when there is nothing older. */
export const growing = <T extends z.ZodMiniType>(item: T) =>
  z.object({ items: z.array(item), next_before: z.nullable(z.string()) })

/** Whole number in a query string, within bounds. */
export const query_int = (min: number, max: number, low = `最少 ${min}`, high = `最多 ${max}`) =>
  z.coerce
    .number('請輸入數字')
    .check(z.refine(Number.isInteger, '請輸入整數'), z.gte(min, low), z.lte(max, high))

/** Query fields of a numbered list. */
export const page_query = {
  page: z._default(query_int(1, 100_000, '頁數從 1 開始', '頁數太大'), 1),
  page_size: z._default(query_int(1, 100, '每頁至少 1 筆', '每頁最多 100 筆'), 20),
}

/** Query fields of a list that grows at one end. */
export const growing_query = {
  before: z.optional(z.string().check(z.maxLength(100), seen())),
  limit: z._default(query_int(1, 200, '至少 1 筆', '一次最多 200 筆'), 50),
}

/** The bytes of a picture; what is in them is for the server to find out. Endpoints with it say `body: 'image'`. */
export const image = () =>
  z.custom<Uint8Array<ArrayBuffer>>(
    (value) => value instanceof Uint8Array && value.length > 0,
    '請選一張圖片',
  )

/** The answer of calls that give nothing. */
export const nothing = () => z.null()

/** The code in an invitation's address. A code of another form names no invitation. */
export const invite_code = () => z.string().check(z.regex(/^[\w-]{16,64}$/, '邀請碼格式不正確'))

/** Eight letters and digits without look-alikes, shown as `ABCD-EFGH`; typed as people type it. */
export const join_code = () =>
  z
    .string('請輸入加入碼')
    .check(as_join_code(), z.regex(JOIN_CODE, '加入碼是 8 個字母與數字，沒有 I、L、O、0、1'))

/** Any code that leads to an organization: of a mail, a link, or its join code. */
export const any_code = () =>
  z.string().check(as_join_code(), z.regex(/^(?:[\w-]{16,64}|\w{4}-\w{4})$/, '邀請碼格式不正確'))

/** Without I, L, O, 0, 1. */
export const JOIN_CODE_LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const JOIN_CODE = new RegExp(`^[${JOIN_CODE_LETTERS}]{4}-[${JOIN_CODE_LETTERS}]{4}$`)
/** What is as long as a join code is written as one; anything else stays as it is. */
const as_join_code = () =>
  z.overwrite<string>((typed) => {
    const plain = typed
      .normalize('NFKC')
      .replace(/[\s\p{Pd}]/gu, '')
      .toUpperCase()
    return plain.length === 8 ? `${plain.slice(0, 4)}-${plain.slice(4)}` : typed
  })
