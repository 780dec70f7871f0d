// Starts a TypeScript file or a tool under Node 24, whatever Node stands on the path (docs/decisions/house.md).
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const { platform, arch, versions, execPath, env } = process
const modules = join(dirname(fileURLToPath(import.meta.url)), '../../node_modules')
const os = platform === 'win32' ? 'win' : platform
const shipped = [`node-${os}-${arch}`, `node-bin-${os}-${arch}`]
  .map((name) => join(modules, name, os === 'win' ? 'bin/node.exe' : 'bin/node'))
  .find(existsSync)
const node = Number(versions.node.split('.')[0]) >= 24 ? execPath : shipped
if (!node) {
  console.error(`需要 Node 24 以上，這裡是 ${versions.node}。請先執行 npm ci，或自行安裝 Node 24。`)
  process.exit(1)
}
const [what, ...args] = process.argv.slice(2)
if (!what) {
  console.error('用法：node server/cli/run.mjs <檔案.ts 或工具> [參數]')
  process.exit(1)
}
const file = /\.[cm]?[jt]s$/.test(what)
// The tools' own "#!/usr/bin/env node" must find Node 24, too.
const PATH = [dirname(node), join(modules, '.bin'), env.PATH ?? env.Path].join(delimiter)
const child = spawn(file ? node : what, file ? [what, ...args] : args, {
  stdio: 'inherit',
  shell: !file && os === 'win',
  // The sources are read without their types at every start: what comes out of that is kept.
  env: { NODE_COMPILE_CACHE: join(modules, '.cache/compile'), ...env, PATH },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
if (env.npm_lifecycle_event) {
  // npm dies from SIGTERM without telling its child: whoever loses the parent stops the server.
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 500).unref()
}
child.on('error', (error) => {
  console.error(`${what}: ${error.message}`)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
