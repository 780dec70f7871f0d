// Every error code with its HTTP status and its texts (wire.md §13), and the one error class both sides throw.
import type { Permission } from './permissions.ts'

interface ErrorRow {
  status: number
  /** English, for developers. */
  msg: string
  /** Traditional Chinese, for the person: what happened and what to do. */
  text: string
}

export const ERRORS = {
  4000: { status: 400, msg: 'malformed request', text: '送出的內容無法讀取，請重新整理後再試一次' },
  4010: { status: 401, msg: 'not signed in', text: '您尚未登入，請先登入' },
  4011: { status: 401, msg: 'token invalid or expired', text: '登入已過期，請重新登入' },
  4012: { status: 401, msg: 'session ended', text: '這個登入已結束，請重新登入' },
  4030: { status: 403, msg: 'permission missing', text: '目前的身份沒有這個權限' },
  4031: { status: 403, msg: 'not a member of this organization', text: '你不是這個組織的成員，請切換身份' },
  4032: { status: 403, msg: 'view-as is read-only', text: '檢視成員畫面時不能修改' },
  4033: {
    status: 403,
    msg: 'invitation for another address',
    text: '這份邀請寄給另一個電子郵件，請用該帳號登入',
  },
  4034: { status: 403, msg: 'oauth scope missing', text: '這個應用程式沒有獲得此項授權' },
  4040: { status: 404, msg: 'not found', text: '找不到這筆資料，可能已刪除或不屬於目前的身份' },
  4050: { status: 405, msg: 'method not allowed', text: '不支援這個操作' },
  4090: { status: 409, msg: 'name taken', text: '這個名稱已經用過，請換一個' },
  4091: {
    status: 409,
    msg: 'idempotency key reused with another request',
    text: '同一個操作編號送了不同內容，請重新送出',
  },
  4092: { status: 409, msg: 'the same request is still running', text: '同一個操作還在處理，請稍候' },
  4093: { status: 409, msg: 'last admin', text: '組織至少要有一位管理者' },
  4094: { status: 409, msg: 'already member or requested', text: '已經是成員，或申請還在審核' },
  4100: {
    status: 410,
    msg: 'link used, expired or withdrawn',
    text: '這個連結已使用、過期或撤回，請重新取得',
  },
  4130: { status: 413, msg: 'body too large', text: '內容太大，請縮短後再送出' },
  4150: { status: 415, msg: 'kind of file not accepted', text: '不接受這種檔案' },
  4220: { status: 422, msg: 'validation failed', text: '有欄位需要修正' },
  4221: { status: 422, msg: 'payload not understood', text: '訊息看不懂，請檢查格式' },
  4290: { status: 429, msg: 'too many requests', text: '操作太頻繁，請稍後再試' },
  5000: { status: 500, msg: 'internal fault', text: '伺服器發生問題，資料沒有遺失，請稍後再試' },
  5030: { status: 503, msg: 'cannot store now', text: '伺服器暫時無法儲存，請稍後再試' },
  6002: { status: 400, msg: 'wrong account or password', text: '帳號或密碼輸入錯誤，請再試一次' },
  6003: { status: 400, msg: 'wrong current password', text: '當前密碼不正確，請再試一次' },
  6005: {
    status: 400,
    msg: 'verification code wrong or expired',
    text: '驗證碼不正確或已過期，請重新輸入或再寄一次',
  },
  6010: { status: 403, msg: 'e-mail not verified', text: '請盡快完成電子郵件驗證，以啟用完整功能' },
  6020: { status: 409, msg: 'channel not set up on this server', text: '這台伺服器沒有設定這個通道' },
  6021: { status: 409, msg: 'channel not bound', text: '還沒有連結，請先綁定' },
  6022: { status: 409, msg: 'channel blocked', text: '對方封鎖了官方帳號，請解除封鎖後重新綁定' },
  6023: { status: 409, msg: 'channel bound to another account', text: '已經綁定另一個凌波帳號' },
  6030: { status: 409, msg: 'sign-in through the provider failed', text: '沒有完成登入，請再試一次' },
  6031: {
    status: 409,
    msg: 'link to the existing account must be confirmed',
    text: '這個電子郵件已經有凌波帳號，請輸入凌波的密碼確認是你本人',
  },
} as const satisfies Record<number, ErrorRow>

type ErrorCode = keyof typeof ERRORS

export interface ApiErrorDetails {
  /** Replaces the code's own Chinese text. */
  text?: string
  msg?: string
  /** Path of the field → message in Chinese (code 4220). */
  fields?: Record<string, string>
  missing?: Permission
  granted_by?: { name: string; email: string }[]
  /** The identity of the same person in which the thing is there and the call allowed (code 4040); null = personal. */
  found_in?: { organization_id: string | null; name: string }
  retry_after_s?: number
}

/** A refusal with its stable code. The server throws one of the table; the client rebuilds what it was told (`toldError`). */
export class ApiError extends Error {
  readonly code: number
  readonly status: number
  readonly text: string
  readonly details: ApiErrorDetails
  constructor(code: ErrorCode, details: ApiErrorDetails = {}, status?: number) {
    // A newer server may tell a code that this table does not have yet.
    const row: ErrorRow = ERRORS[code] ?? ERRORS[5000]
    super(details.msg ?? row.msg)
    this.name = 'ApiError'
    this.code = code
    this.status = status ?? row.status
    this.text = details.text ?? row.text
    this.details = details
  }
}

/** A refusal as it came from elsewhere: its code may be one that this program does not know. */
export function toldError(code: number, details?: ApiErrorDetails, status?: number): ApiError {
  return new ApiError(code as ErrorCode, details, status)
}

/** A 4220 with one message per field path. */
export function invalid(fields: Record<string, string>): ApiError {
  return new ApiError(4220, { fields })
}
