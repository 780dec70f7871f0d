// npm run restore -- <file> [--force]: a backup into an empty DATA_DIR (and an empty DATABASE_URL), checked before and after.
import { dayWords, taipei } from '#trading/calendar.ts'
import { restoreBackup } from '../backup/restore.ts'
import { readConfig } from '../config.ts'
import { codeOf } from '../db/condition.ts'
import { sentenceOf } from '../start-errors.ts'
import { wordsOf } from './words.ts'

const USAGE = '用法：npm run restore -- <備份檔> [--force]（還原會結束所有登入）'
const words = wordsOf({ allowPositionals: true, options: { force: { type: 'boolean' } } }, USAGE)
const force = words?.values.force ?? false
const file = words?.positionals[0]

async function main(): Promise<number> {
  if (!words) return 1
  if (file === undefined) {
    console.error(USAGE)
    return 1
  }
  process.umask(0o077)
  const { manifest, end, aside, aside_schema } = await restoreBackup(readConfig(process.env), file, {
    force,
    now: Date.now(),
  })
  const made = taipei(manifest.created_at)
  console.log(
    `已還原 ${dayWords(made.date)} ${made.time} 的備份：${end.rows['signals'] ?? 0} 筆訊號、${end.rows['users'] ?? 0} 位使用者、${end.files} 個檔案，筆數、雜湊鏈與完整性都檢查過`,
  )
  console.log(
    '所有登入都結束了：每台裝置下次連上時會清掉它的離線資料，每個人都要重新登入；還沒送出的操作留在裝置上，同一個人登入後照常送出。webhook 網址不變',
  )
  console.log('可以啟動伺服器了')
  if (aside) console.log(`原來的資料在 ${aside}，確認無誤後可以刪除`)
  if (aside_schema)
    console.log(
      `原來的資料表在 PostgreSQL 的 schema ${aside_schema}，確認無誤後可以刪除：drop schema ${aside_schema} cascade`,
    )
  if (end.broken.length > 0)
    console.warn(
      `備份時就有 ${end.broken.length} 個策略的雜湊鏈不完整（${end.broken.slice(0, 3).join('、')}）`,
    )
  return 0
}

/** Whatever it was, in a line: what came from the database has its code. */
function whatOf(error: unknown): string {
  const code = codeOf(error)
  return `${error instanceof Error ? error.message : String(error)}${code === '' ? '' : `（${code}）`}`
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(
    sentenceOf(error, process.env, '再還原一次，原來的資料沒有動') ??
      `沒有還原成功，原來的資料沒有動：${whatOf(error)}`,
  )
  process.exitCode = 1
}
