// Writes a file of DATA_DIR/market, so that the server sees that it is another one.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

let ticks = 0
export function putMarketFile(data_dir: string, name: string, content: unknown): void {
  mkdirSync(join(data_dir, 'market'), { recursive: true })
  const file = join(data_dir, 'market', name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 1))
  // Two writes may fall into one tick of the disk's clock.
  ticks += 1
  utimesSync(file, new Date(), new Date(Date.now() + ticks * 1000))
}
