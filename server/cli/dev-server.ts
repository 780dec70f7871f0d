// One origin for development: our own doors first, everything else from Vite.
import { createServer } from 'node:http'
import { createServer as createVite } from 'vite'
import { createApp } from '../app.ts'
import { ROOT, readConfig } from '../config.ts'

const OURS = /^\/(api|hooks|oidc|files|healthz|readyz)(\/|\?|$)/

const config = readConfig({ LOG_LEVEL: 'debug', ...process.env })
const server = await createApp(config)
const http = createServer()
const vite = await createVite({
  root: ROOT,
  appType: 'spa',
  // The default writes a temporary copy of the configuration, which --watch would take for a change, for ever.
  configLoader: 'native',
  server: { middlewareMode: true, hmr: { server: http } },
})
http.on('request', (request, response) => {
  if (OURS.test(request.url ?? '/')) return void server.listener(request, response)
  vite.middlewares(request, response)
})
http.listen(config.port, config.host, () => console.log(`凌波開發伺服器：${config.public_url}`))

async function stop(): Promise<void> {
  http.close()
  http.closeAllConnections()
  await vite.close()
  await server.close()
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stop().catch((error: unknown) => {
      console.error(error)
      process.exit(1)
    })
  })
