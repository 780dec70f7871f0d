// node server/cli/bundle.ts <folder>: writes the server into one file, main.js, of a folder beside building.ts's others.
import { dirname, relative } from 'node:path'
import { build, type Plugin } from 'vite'
import { ROOT } from '../config.ts'

/** What every start reads; other packages stay where they are, and most of them are asked for only when somebody needs them. */
const TAKEN_IN = [
  'kysely',
  'zod',
  'jose',
  'hono',
  '@hono/node-server',
  'canonicalize',
  'rate-limiter-flexible',
]
/** From the folder of the file to the root: node_modules/.cache/server/<name>. */
const UP = '/../../../../'

/** What a file of ours finds beside itself is looked for where that stands. */
const whereItStood: Plugin = {
  name: 'where-it-stood',
  transform: {
    filter: { id: /\/(server|contract|trading)\/.+\.ts$/, code: /import\.meta/ },
    handler(code, id) {
      if (/import\.meta\.(?!dirname)/.test(code)) this.error(`${id}: only import.meta.dirname is known here`)
      const at = JSON.stringify(UP + relative(ROOT, dirname(id)).replaceAll('\\', '/'))
      return { code: code.replaceAll('import.meta.dirname', `(import.meta.dirname + ${at})`), map: null }
    },
  },
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('which folder?')
await build({
  configFile: false,
  root: ROOT,
  logLevel: 'warn',
  publicDir: false,
  plugins: [whereItStood],
  ssr: { noExternal: TAKEN_IN },
  build: {
    ssr: 'server/main.ts',
    outDir: folder,
    target: 'node24',
    // Names of functions stand in an operator's log.
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'main.js', codeSplitting: false } },
  },
})
