// npm run announce -- <Markdown file> --title=…: the platform announces something to everybody; or takes it back.
import { existsSync, readFileSync } from 'node:fs'
import { faultsOf, leaveCommand } from '../announcement/store.ts'
import { readConfig } from '../config.ts'
import { newId } from '../ids.ts'
import { sentenceOf } from '../start-errors.ts'
import { wordsOf } from './words.ts'

const USAGE = `用法：npm run announce -- <Markdown 檔，或 - 從標準輸入讀> --title=標題 [--tag=標籤 …] [--pinned] [--at=時間] [--expire=時間] [--quiet]
      npm run announce -- --delete=編號
  --at、--expire  發布與過期的時間，例如 2026-12-01T08:00（台北）；不寫就是現在發布、不過期
  --quiet         不發送通知`
/** A running server looks every few seconds. */
const WAIT_MS = 15_000
const LOOK_MS = 250

async function main(): Promise<number> {
  process.umask(0o077)
  const words = wordsOf(
    {
      allowPositionals: true,
      options: {
        ...{ title: { type: 'string' }, tag: { type: 'string', multiple: true }, delete: { type: 'string' } },
        ...{ at: { type: 'string' }, expire: { type: 'string' } },
        ...{ pinned: { type: 'boolean' }, quiet: { type: 'boolean' } },
      },
    },
    USAGE,
  )
  if (!words) return 1
  const { values, positionals } = words
  const [file] = positionals
  const gone = values.delete
  if ((gone === undefined) === (file === undefined)) {
    console.error(USAGE)
    return 1
  }
  const asked =
    gone !== undefined
      ? { kind: 'delete' as const, id: gone }
      : {
          ...{ kind: 'publish' as const, id: newId(), title: values.title ?? '', tags: values.tag ?? [] },
          body: readFileSync(file === '-' ? 0 : (file as string), 'utf8'),
          ...{ pinned: values.pinned ?? false, notify: !(values.quiet ?? false) },
          ...(values.at !== undefined && { publish_at: instantOf(values.at) }),
          expire_at: values.expire === undefined ? null : instantOf(values.expire),
        }
  const [fault] = Object.entries(faultsOf(asked))
  if (fault) {
    console.error(`${NAMES[fault[0].split('.')[0] as string] ?? fault[0]}：${fault[1]}`)
    return 1
  }
  const path = leaveCommand(readConfig(process.env).data_dir, asked)
  for (let waited = 0; waited < WAIT_MS && existsSync(path); waited += LOOK_MS)
    await new Promise((next) => setTimeout(next, LOOK_MS))
  const what = gone === undefined ? `公告 ${asked.id}` : `刪除 ${asked.id}`
  if (existsSync(path)) console.log(`已記下${what}：伺服器沒有在執行，啟動之後就會處理`)
  else console.log(gone === undefined ? `伺服器已收下${what}，時間到就發布` : `伺服器已收下${what}`)
  return 0
}

const NAMES: Record<string, string> = {
  ...{
    title: '標題',
    body: '內容',
    tags: '標籤',
    publish_at: '發布的時間',
    expire_at: '過期的時間',
    id: '編號',
  },
}

/** As everything on the wire: Taipei's clock where no zone is said. What is no time stays as it is and is refused. */
function instantOf(typed: string): string {
  const [day, time = '00:00'] = typed.trim().split(/[T ]/)
  const zone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(time) ? '' : '+08:00'
  const ms = Date.parse(`${day}T${time}${zone}`)
  return Number.isNaN(ms) ? typed : new Date(ms).toISOString()
}

try {
  process.exitCode = await main()
} catch (error) {
  const { code, path } = error as NodeJS.ErrnoException
  const missing = code === 'ENOENT' && path !== undefined ? `找不到檔案 ${path}` : null
  console.error(missing ?? sentenceOf(error, process.env, '再發布一次') ?? error)
  process.exitCode = 1
}
