// Why the server cannot start, in one sentence with the true reason, for whoever typed the command.
import { ConfigError } from './config.ts'
import { codeOf } from './db/condition.ts'

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(EACCES|EPERM|SQLITE_PERM|SQLITE_AUTH)/, '沒有權限讀寫'],
  [/^(EROFS|SQLITE_READONLY)/, '是唯讀的，不能寫入'],
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, '所在的磁碟已滿'],
  [/^(ENOTDIR|EEXIST|EISDIR)/, '不是資料夾，或路徑中間有一段不是'],
  [/^SQLITE_CANTOPEN/, '裡的資料庫檔打不開（沒有權限，或那不是檔案）'],
  [/^SQLITE_(CORRUPT|NOTADB)/, '裡的資料庫檔已損壞，沒有改動它；請從備份還原'],
  [/^(EIO|SQLITE_IOERR)/, '所在的磁碟讀寫出錯'],
]
const POSTGRES: readonly (readonly [RegExp, string])[] = [
  [/^(25006|25P0)/, '是唯讀的（熱備援，或帳號預設唯讀），不能寫入'],
  [/^42501/, '的帳號沒有權限建立或讀寫資料表'],
  [/^53/, '所在的磁碟或連線數已滿'],
  [/^(28|3D)/, '的帳號、密碼或資料庫名稱不對'],
]

/** The sentence; `then` what is tried again; null for a fault of the program, which is shown as it is. */
export function sentenceOf(
  error: unknown,
  env: Readonly<Record<string, string | undefined>>,
  then = '再啟動',
): string | null {
  if (error instanceof ConfigError) return error.message
  if (error instanceof Error && /[\u4e00-\u9fff]/.test(error.message)) return error.message
  const code = codeOf(error)
  const data_dir = env['DATA_DIR'] ?? './data'
  for (const [pattern, reason] of REASONS)
    if (pattern.test(code))
      return `資料夾 ${data_dir} ${reason}（${code}）。請修正後${then}，或用 DATA_DIR 指定別的資料夾`
  for (const [pattern, reason] of POSTGRES)
    if (pattern.test(code)) return `DATABASE_URL 的 PostgreSQL ${reason}（${code}）。請修正後${then}`
  return null
}
