// npm run dev: the server starts anew whenever one of its files changes; the app's files are replaced in the open page.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../config.ts'

const child = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', join(ROOT, 'server/cli/dev-server.ts')],
  {
    cwd: ROOT,
    stdio: 'inherit',
  },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
