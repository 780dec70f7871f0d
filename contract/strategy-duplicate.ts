// A strategy made after another one (wire §14). A call of its own file so that the first screen need not carry it.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, name_text } from './fields.ts'
import { strategy } from './strategy.ts'

export const duplicateStrategy = endpoint({
  name: 'strategy.duplicate',
  method: 'POST',
  path: '/strategies/:id/duplicate',
  who: 'strategy:create',
  when_offline: 'fail',
  about: '以一個策略的設定與訊息對應另建一個，有自己的 webhook，沒有紀錄；須先完成電子郵件驗證',
  input: z.object({ id: id(), name: name_text(60, '請輸入策略名稱') }),
  output: strategy,
})
