// What all steps of 為什麼沒收到 say together, in one sentence.
import type { Check } from './check.ts'

export function conclusion(steps: readonly Check[], asking: boolean): string {
  const count = (state: Check['state']) => steps.filter((one) => one.state === state).length
  const unread = steps.filter((one) => one.unread).length
  const [wrong, doubtful] = [count('bad'), count('warn')]
  if (asking) return '正在一步一步看…'
  const found = wrong > 0 ? `${wrong} 個原因` : doubtful > 0 ? `${doubtful} 個可能的原因` : ''
  if (found) return `找到 ${found}。${unread > 0 ? `另有 ${unread} 步讀不到。` : ''}`
  if (unread > 0) return `有 ${unread} 步讀不到，其他的沒有擋住通知。`
  return '每一步都檢查過，沒有東西擋住通知。'
}
