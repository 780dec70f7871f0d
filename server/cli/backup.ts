// npm run backup -- <file> [--force]: everything in one file, also while the server runs.
import { dirname, resolve } from 'node:path'
import { writeBackup } from '../backup/write.ts'
import { readConfig } from '../config.ts'
import { isFull } from '../db/condition.ts'
import { sentenceOf } from '../start-errors.ts'
import { wordsOf } from './words.ts'

const USAGE = '用法：npm run backup -- <備份檔> [--force]'
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
  const { end } = await writeBackup(readConfig(process.env), file, { force, now: Date.now() })
  console.log(
    `已備份到 ${file}：${end.rows['signals'] ?? 0} 筆訊號、${end.rows['users'] ?? 0} 位使用者、${end.files} 個檔案。裡面有金鑰，請收好`,
  )
  if (end.missing.length > 0) console.warn(`有 ${end.missing.length} 張圖片已不在磁碟上，沒有備份到`)
  if (end.broken.length === 0) return 0
  console.error(
    `注意：${end.broken.length} 個策略的雜湊鏈不完整（${end.broken.slice(0, 3).join('、')}），備份裡也是如此`,
  )
  return 2
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(
    file !== undefined && isFull(error)
      ? `沒有備份成功：${dirname(resolve(file))} 所在的磁碟已滿。請清出空間，或把備份檔放到別的磁碟再試`
      : (sentenceOf(error, process.env, '再備份一次') ?? error),
  )
  process.exitCode = 1
}
