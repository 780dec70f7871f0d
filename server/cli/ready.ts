// What stands before anything is served from this folder: a folder for the data, and the screens built.
import { readConfig } from '../config.ts'
import { sentenceOf } from '../failing.ts'
import { makeFolder } from '../make-folder.ts'
import { build, isBuilt } from './building.ts'

/** Ends the process with one sentence where it cannot be. */
export function makeReady(): void {
  try {
    // Before the build: a wrong value or folder should not take half a minute to show.
    makeFolder(readConfig(process.env).data_dir)
  } catch (error) {
    console.error(sentenceOf(error, process.env) ?? error)
    process.exit(1)
  }
  if (process.env['DIST_DIR'] !== undefined || isBuilt()) return
  console.log('正在建置畫面，第一次約需幾秒…')
  const code = build()
  if (code !== 0) {
    console.error('建置失敗，原因如上。')
    process.exit(code)
  }
}
