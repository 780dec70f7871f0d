// The server process: reads the environment, listens, and stops in order when it is told to.
import { join } from 'node:path'
import { readConfig } from './config.ts'
import { type Listening, listen } from './listen.ts'
import { mailStays } from './mail/messages.ts'
import { sentenceOf } from './start-errors.ts'

// Whatever is written here is nobody else's to read on this machine.
process.umask(0o077)

/** Starts and prints where; a failure ends the process with one message. */
async function main(): Promise<void> {
  let running: Listening
  try {
    const config = readConfig(process.env)
    running = await listen(config)
    const at = config.public_url.endsWith(':0') ? running.url : config.public_url
    // whoever puts a proxy before it must know where to send to
    const here = at === running.url ? '' : `由代理轉到 ${running.url}；`
    const where =
      config.database_url === null
        ? `資料在 ${config.data_dir}`
        : `資料在 PostgreSQL，金鑰、圖片與信件在 ${config.data_dir}`
    console.log(`凌波已啟動：${at}（${here}${where}，按 Ctrl+C 停止）`)
    if (mailStays(config))
      console.log(
        `沒有設定 SMTP_URL：驗證碼、邀請等信不會寄出，而是寫成 ${join(config.data_dir, 'mail')} 裡的 .eml 檔`,
      )
  } catch (error) {
    console.error(sentenceOf(error, process.env) ?? error)
    process.exit(1)
  }
  const { server, stop } = running
  const end = (signal: string) => {
    server.app.log.info({ signal }, 'stopping')
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        server.app.log.fatal({ err: error }, 'stop failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => end('SIGTERM'))
  process.on('SIGINT', () => end('SIGINT'))
  // Nothing known is left behind by such a fault: say it, stop in order, let the supervisor start afresh.
  process.on('uncaughtException', (error) => {
    server.app.log.fatal({ err: error }, 'uncaught')
    process.exitCode = 1
    end('uncaughtException')
  })
}

await main()
