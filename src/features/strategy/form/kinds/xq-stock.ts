// The settings of an XQ strategy in the form: those of a stock strategy, and what is said about the script.
import type { WritableName } from '#contract/kinds/setting.ts'
import { firesOnce, XQ_SETTINGS as IS, type ScriptType } from '#contract/kinds/xq-stock.ts'
import { type AnySetting, held, oneOf, onOff, written } from './setting.ts'
import { STOCK_FIELDS } from './stock.ts'

export const XQ_FIELDS = {
  ...STOCK_FIELDS,
  xq_script_name: written({
    label: 'XQ 策略名稱',
    placeholder: '例如：突破季線',
    hint: '和 XQ 裡的名稱一樣，方便對照',
  }),
  script_type: oneOf<ScriptType>(
    IS.script_type.default,
    { sensor: '警示', filter: '選股', autotrade: '自動交易' },
    { label: '腳本類型' },
  ),
  data_source: oneOf<'webhook' | 'csv' | 'both'>(
    IS.data_source.default,
    { webhook: '橋接 Webhook', csv: '檔案匯入', both: '兩者' },
    { label: '資料來源' },
  ),
  file_encoding: oneOf<'auto' | 'utf-8' | 'big5'>(
    IS.file_encoding.default,
    { auto: '自動', 'utf-8': 'UTF-8', big5: 'Big5' },
    { label: '檔案編碼', hint: 'XQ 輸出的檔案多半是 Big5；自動會先試 UTF-8，匯入時也能改' },
  ),
  default_action: oneOf<'entry' | 'exit' | 'by_content'>(
    IS.default_action.default,
    { entry: '進場', exit: '出場', by_content: '依內容' },
    { label: '觸發視為' },
  ),
  dedupe_per_day: onOff(firesOnce(IS.script_type.default), {
    label: '同一代號每日只取第一筆',
    hint: '同一天、同一代號、同樣的動作，只有第一則成為訊號；後面的照樣記在最近接收紀錄。每個 Webhook 分開算。',
  }),
  csv_mapping: held<Record<string, string> | null>(IS.csv_mapping.default, { label: '欄位對應' }),
} satisfies Record<WritableName<typeof IS>, AnySetting>
