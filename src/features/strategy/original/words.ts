// What 原始資料 calls the states of rows, and what a column may hold.
import type { OriginalStatus } from '#contract/original-data.ts'
import type { ColumnField } from '#trading/original/shape.ts'
import type { IconName } from '#ui/Icon.tsx'
import type { TagTone } from '#ui/Tag.tsx'

export const STATUS: Record<OriginalStatus | 'new', { word: string; tone: TagTone; icon: IconName }> = {
  new: { word: '新增', tone: 'good', icon: 'plus' },
  imported: { word: '已匯入', tone: 'good', icon: 'check' },
  duplicate: { word: '重複', tone: 'neutral', icon: 'copy' },
  ignored_by_rule: { word: '依規則忽略', tone: 'neutral', icon: 'filter' },
  invalid: { word: '錯誤', tone: 'danger', icon: 'warning' },
  pending: { word: '待處理', tone: 'info', icon: 'refresh' },
}

export const FIELD_WORDS: Record<ColumnField, string> = {
  symbol: '代碼',
  name: '商品名稱',
  action: '動作',
  trigger: '觸發訊息',
  price: '價格',
  quantity: '數量',
  date: '日期',
  time: '時間',
  volume: '成交量',
  note: '備註',
  entry_time: '進場時間',
  entry_side: '進場方向',
  entry_price: '進場價格',
  exit_time: '出場時間',
  exit_side: '出場方向',
  exit_price: '出場價格',
}

export const ENCODING_WORDS: Record<string, string> = { 'utf-8': 'UTF-8', big5: 'Big5' }
export const DELIMITER_WORDS: Record<string, string> = { '\t': 'Tab', ',': '逗號', ';': '分號', ' ': '空白' }
