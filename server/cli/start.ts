// npm start: builds what is not built, then serves in this process.
import { pathToFileURL } from 'node:url'
import { readConfig } from '../config.ts'
import { sentenceOf } from '../failing.ts'
import { makeFolder } from '../make-folder.ts'
import { build, isBuilt } from './building.ts'
import { serverFile } from './bundling.ts'

try {
  // Before the build: a wrong value or folder should not take half a minute to show.
  makeFolder(readConfig(process.env).data_dir)
} catch (error) {
  console.error(sentenceOf(error, process.env) ?? error)
  process.exit(1)
}
if (process.env['DIST_DIR'] === undefined && !isBuilt()) {
  console.log('正在建置畫面，第一次約需幾秒…')
  const code = build()
  if (code !== 0) {
    console.error('建置失敗，原因如上。')
    process.exit(code)
  }
}
await import(pathToFileURL(serverFile()).href)
