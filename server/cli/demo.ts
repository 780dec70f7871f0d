// npm run demo: the product on its own folder with one trader, ninety days of signals, and messages that go on arriving
// over HTTP while the market is open; `npm run demo -- always` also while it is closed.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, ROOT, readConfig } from '../config.ts'
import { sentenceOf } from '../failing.ts'
import { DEMO_ACCOUNT, DEMO_PASSWORD, type Demo, seedDemo } from '../seed/demo.ts'
import { runFeed } from '../seed/feed.ts'
import { DEMO_MEMBER } from '../seed/organization.ts'

process.env['DATA_DIR'] ??= join(ROOT, 'data-demo')
const note = (line: string) => console.log(line)

async function prepare(): Promise<{ demo: Demo; url: string }> {
  const config = readConfig(process.env)
  const file = join(config.data_dir, 'demo.json')
  const url = `http://${config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host}:${config.port}`
  if (existsSync(file)) return { demo: JSON.parse(readFileSync(file, 'utf8')) as Demo, url }
  if (config.database_url !== null)
    throw new ConfigError(['DATABASE_URL：示範只用自己的 SQLite 資料夾，請先取消這個變數'])
  if (existsSync(join(config.data_dir, 'lingbo.db')))
    throw new ConfigError([`DATA_DIR=${config.data_dir}：裡面已有別的資料，示範不會動它；請換一個空的資料夾`])
  note('正在準備示範資料：90 天的訊號會逐筆走過真正的 webhook…')
  mkdirSync(config.data_dir, { recursive: true })
  try {
    const demo = await seedDemo(config, note)
    writeFileSync(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
    return { demo, url }
  } catch (error) {
    // Half a demonstration would be taken for a whole one next time.
    rmSync(config.data_dir, { recursive: true, force: true })
    throw error
  }
}

try {
  const { demo, url } = await prepare()
  note(`示範帳號 ${DEMO_ACCOUNT}　密碼 ${DEMO_PASSWORD}（組織「浪花訊號社」的管理者）`)
  note(`組織成員 ${DEMO_MEMBER}　密碼相同`)
  await import('./start.ts')
  const feeding = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => feeding.abort())
  await runFeed(url, demo, note, feeding.signal, process.argv.includes('always'))
} catch (error) {
  console.error(sentenceOf(error, process.env) ?? error)
  process.exit(1)
}
