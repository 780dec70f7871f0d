// npm run verify -- <export file> [known hash]: checks an exported record with no server, no secret and no network.
import { readFileSync } from 'node:fs'
import { checkExport } from '../signal/proof.ts'
import { wordsOf } from './words.ts'

const USAGE = '用法：npm run verify -- <匯出的 JSON 檔> [先前記下的雜湊]'

function main(): number {
  const words = wordsOf({ allowPositionals: true }, USAGE)
  if (!words) return 1
  const [file, known] = words.positionals
  if (file === undefined) {
    console.error(USAGE)
    return 1
  }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    console.error(missing ? `找不到檔案 ${file}` : `讀不到 ${file}：請給一個檔案，並確認有讀取權限`)
    return 1
  }
  const { ok, lines } = checkExport(text, known)
  for (const line of lines) (ok ? console.log : console.error)(line)
  return ok ? 0 : 1
}

process.exitCode = main()
