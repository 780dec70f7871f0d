// npm run demo: the product on its own folder with one trader, ninety days of signals, and messages that go on arriving
// over HTTP while the market is open; `npm run demo -- always` also while it is closed.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, ROOT, readConfig } from '../config.ts'
import { openStand, type Stand } from '../demo/receivers.ts'
import { openDoor } from '../demo/routes.ts'
import { makeFolder } from '../make-folder.ts'
import { DEMO_ACCOUNT, DEMO_PASSWORD, type Demo, seedDemo } from '../seed/demo.ts'
import { connectReceivers, runFeed } from '../seed/feed.ts'
import { DEMO_MEMBER } from '../seed/organization.ts'
import { sentenceOf } from '../start-errors.ts'
import { makeReady } from './building.ts'

process.env['DATA_DIR'] ??= join(ROOT, 'data-demo')
// Its page of receivers shows the letters of the folder.
process.env['MAIL_PICKUP'] ??= 'true'
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
  makeFolder(config.data_dir)
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

/** Receivers of this machine stand in for the channels' own services; what is configured otherwise stays as it is. */
async function openReceivers(url: string): Promise<Stand> {
  const secret = randomBytes(16).toString('hex')
  const stand = await openStand(Number(new URL(url).port) + 1, { secret, app_url: url })
  const own = (names: Record<string, string>) => {
    if (Object.keys(names).every((name) => !process.env[name])) Object.assign(process.env, names)
  }
  const token = `100000001:${randomBytes(24).toString('base64url')}`
  own({ TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: `${stand.url}/telegram` })
  own({
    LINE_CHANNEL_TOKEN: randomBytes(24).toString('base64url'),
    LINE_CHANNEL_SECRET: secret,
    LINE_API_ROOT: `${stand.url}/line`,
  })
  own({ DISCORD_API_ROOT: `${stand.url}/discord` })
  own({ OUTGOING_ALLOW: '127.0.0.1/32' })
  openDoor(stand.tray)
  return stand
}

try {
  const { demo, url } = await prepare()
  note(`示範帳號 ${DEMO_ACCOUNT}　密碼 ${DEMO_PASSWORD}（組織「浪花訊號社」的管理者）`)
  note(`組織成員 ${DEMO_MEMBER}　密碼相同`)
  const stand = await openReceivers(url)
  makeReady()
  // From the sources: the door that was opened is theirs, and the one file of `npm start` has another.
  await import('../main.ts')
  await connectReceivers(url, stand, demo)
  note(`各通道送出的內容：${url}/demo-receivers`)
  const feeding = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => feeding.abort())
  await runFeed(url, demo, note, feeding.signal, process.argv.includes('always'))
} catch (error) {
  console.error(sentenceOf(error, process.env) ?? error)
  process.exit(1)
}
