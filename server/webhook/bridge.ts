// The bridge with a webhook's address in it, ready to run.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileAnswer } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { BRIDGE_FILES, type BridgePlatform } from '#contract/webhook.ts'

/** How the language writes a text. */
const QUOTED: Record<BridgePlatform, (text: string) => string> = {
  powershell: (text) => `'${text.replaceAll("'", "''")}'`,
  python: (text) => JSON.stringify(text),
}
/** Windows PowerShell reads a file without this mark as the system's own encoding. */
const MARK: Record<BridgePlatform, string> = { powershell: '\uFEFF', python: '' }

/** `url` null: the webhook has no address any more, 4220. */
export async function bridgeOf(url: string | null, platform: BridgePlatform): Promise<FileAnswer> {
  if (url === null) throw new ApiError(4220, { text: '這個 Webhook 沒有網址；請先更換網址，再下載橋接程式' })
  const filename = BRIDGE_FILES[platform]
  const text = await readFile(join(import.meta.dirname, 'bridge', filename), 'utf8')
  // a replacer: $ in an address is no pattern
  const script = MARK[platform] + text.replace('__URL__', () => QUOTED[platform](url))
  return { filename, content_type: 'text/plain; charset=utf-8', chunks: once(script) }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}
