// What a person sees when an application sent them here with a request that cannot be answered to it.
import { readingPolicy } from '../http/secure.ts'

const STYLE =
  'body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.6 system-ui,sans-serif;background:#f3f5f8;color:#121a27}main{max-width:26rem;padding:2rem}h1{font-size:1.25rem}p{margin:.5rem 0}code{font-size:.85rem;opacity:.7}a{color:inherit}@media(prefers-color-scheme:dark){body{background:#0e131b;color:#e9eef5}}'

const WORDS: Record<string, string> = {
  invalid_client: '這個應用程式沒有在凌波登記。',
  invalid_redirect_uri: '應用程式要求回到的網址，和它登記的不一樣。為了保護你，已停在這裡。',
  server_error: '伺服器發生問題，請稍後再試。',
}

/** The page and its policy. `error` is the provider's own code; what the application sent is never shown. */
export function errorPage(error: string): { html: string; policy: string } {
  const code = /^[a-z_]{1,60}$/.test(error) ? error : 'invalid_request'
  const words = WORDS[code] ?? '授權要求已過期，或內容不正確。'
  const html = `<!doctype html><html lang="zh-Hant-TW"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>無法授權 · 凌波</title><style>${STYLE}</style></head><body><main><h1>無法授權這個應用程式</h1><p>${words}</p><p>請回到那個應用程式重新開始，或告訴它的開發者。</p><p><code>${code}</code></p><p><a href="/">回到凌波</a></p></main></body></html>`
  return { html, policy: readingPolicy(html) }
}
