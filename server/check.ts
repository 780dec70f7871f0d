// What a start looks through beside its work, whatever the size: every page of the file, every link of every chain. What it finds
// stands in the log and in /readyz.
import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brokenChains } from './backup/format.ts'
import type { App } from './context.ts'
import { CHECKED_MOST } from './db/sqlite.ts'

/** A start has better things to do first. */
const AFTER_MS = 2_000
/** Rest after each page of a chain: a tenth of one processor at most. */
const REST_MS = 50
const CHECKER = join(import.meta.dirname, 'cli/check-file.ts')

type Parts = Pick<App, 'db' | 'engine' | 'config' | 'condition' | 'log'>

/** Begins soon; the returned function ends it. */
export function startChecks(app: Parts): () => Promise<void> {
  const ending = new AbortController()
  let child: ChildProcess | undefined
  let running: Promise<unknown> = Promise.resolve()
  const timer = setTimeout(() => {
    child = checkFile(app)
    running = checkChains(app, ending.signal).catch((error: unknown) => {
      if (!ending.signal.aborted) app.log.error({ err: error }, 'chains not checked')
    })
  }, AFTER_MS)
  timer.unref()
  return async () => {
    ending.abort()
    clearTimeout(timer)
    child?.kill('SIGKILL')
    await running
  }
}

/** A file too large to be read before the start. */
function checkFile({ engine, config, condition, log }: Parts): ChildProcess | undefined {
  const path = join(config.data_dir, 'lingbo.db')
  if (engine !== 'sqlite' || (statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= CHECKED_MOST)
    return undefined
  condition.checks['file'] = 'running'
  const began = performance.now()
  const child = spawn(process.execPath, [CHECKER, path], { stdio: ['ignore', 'ignore', 'pipe'] })
  child.unref()
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text.slice(0, 500)
  })
  child.on('error', (error) => log.error({ err: error }, 'file not checked'))
  child.on('close', (code, signal) => {
    if (signal !== null) return
    const damaged = code === 3 || /SQLITE_CORRUPT|malformed|NOTADB/.test(said)
    condition.checks['file'] = damaged ? 'damaged' : code === 0 ? 'ok' : 'not checked'
    log[code === 0 ? 'info' : 'error'](
      { ms: Math.round(performance.now() - began), found: said },
      'file checked',
    )
    if (damaged)
      condition.damaged(
        `資料庫檔 ${path} 已損壞（啟動後的檢查發現）。不再收任何資料；請停止伺服器、複製整個資料夾，再從備份還原`,
      )
  })
  return child
}

async function checkChains({ db, condition, log }: Parts, signal: AbortSignal): Promise<void> {
  condition.checks['chains'] = 'running'
  const found = await brokenChains(db, () => sleep(REST_MS, undefined, { signal, ref: false }))
  // Some may have been deleted while they were read.
  const broken =
    found.length === 0
      ? []
      : await db
          .selectFrom('strategies')
          .select('id')
          .where('id', 'in', found)
          .where('deleted_at', 'is', null)
          .execute()
  condition.checks['chains'] = broken.length === 0 ? 'ok' : `${broken.length} broken`
  if (broken.length === 0) return log.debug('chains checked')
  log.fatal(
    { strategies: broken.slice(0, 20).map(({ id }) => id), count: broken.length },
    '雜湊鏈不完整：這些策略有紀錄遺失或被改動，資料可能來自損壞的複本',
  )
}
