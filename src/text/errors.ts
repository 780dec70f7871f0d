// Words for what can go wrong on a screen, beside the texts that the error codes carry themselves (contract/errors.ts).
import type { ApiError } from '#contract/errors.ts'
import type { Permission } from '#contract/permissions.ts'

/** A permission in words, as the refusal names it. */
export const PERMISSION_WORDS: Record<string, string> = {
  'strategy:view': '檢視策略',
  'strategy:create': '新增策略',
  'strategy:edit': '編輯策略',
  'strategy:delete': '刪除策略',
  'organization:view': '檢視組織',
  'organization:create': '建立組織',
  'organization:edit': '編輯組織',
  'organization:delete': '解散組織',
  'organization:manage': '管理組織',
  'organization:announcements:view': '檢視組織公告',
  'my-organizations:view': '檢視我的組織',
  'my-announcements:view': '檢視公告',
  'group:view': '檢視策略群組',
  'group:create': '建立策略群組',
  'group:edit': '編輯策略群組',
  'group:delete': '刪除策略群組',
} satisfies Record<Permission, string>

/** What to tell the person about any failure: the server's words, the network's words, or that something unforeseen happened. */
export function failureText(error: unknown): string {
  if (
    typeof error === 'object' &&
    error !== null &&
    'text' in error &&
    typeof (error as ApiError).text === 'string'
  ) {
    return (error as ApiError).text
  }
  return '發生沒有預料到的問題，資料沒有受影響，請再試一次'
}
