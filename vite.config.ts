// How the browser's half is built: file routes, React, the installable app with its own service worker (pwa.md §1.3).

import { globSync, readFileSync } from 'node:fs'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { build, defineConfig, minifySync, type Plugin, type Rolldown, transformWithOxc, Visitor } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { withColours } from '#server/brand.ts'
import { classOf } from '#server/cli/building.ts'
import {
  entryAsListed,
  FRAME_SCREEN,
  modulesOf as firstOf,
  GROUPS,
  PAGES,
  shownFiles,
  startFiles,
} from '#server/cli/chunks.ts'
import { pages } from '#server/cli/prerender.ts'

/** What runs before the application. */
const EARLY = new URL('src/early.ts', import.meta.url).pathname
/** First pages, before the application. */
const GLANCE = new URL('src/glance/', import.meta.url).pathname
/** Files that a start may need. */
const at_start = new Set<string>()
/** Files of pages that show parts and samples: not kept for offline use (docs/decisions/first-visit.md). */
const shown = new Set<string>()

/**
 * Three things for a first visit on a slow line. The page's own files are asked for while the entry still loads (the inline
 * script of index.html reads the map), its first data is asked for beside them (src/early.ts, put into the page as it is),
 * and stylesheets stand after the skeleton: in the head they would hold back its paint.
 */
function firstVisit(): Plugin {
  return {
    name: 'first-visit',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
      entryAsListed(modulesOf(chunks))
      for (const file of startFiles(this, chunks)) at_start.add(file)
      for (const file of shownFiles(this, chunks)) shown.add(file)
    },
    transformIndexHtml: {
      order: 'post',
      handler: async (html, { bundle }) => {
        const chunks = Object.values(bundle ?? {}).filter((part) => part.type === 'chunk')
        const sheets = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
        /** A chunk with all it asks for at once, and what those ask for. */
        const reachedOf = (file: string, found: Set<string>): Set<string> => {
          if (found.has(file)) return found
          found.add(file)
          for (const next of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
            reachedOf(next, found)
          return found
        }
        const filesOf = (module: string) => {
          const own = chunks.find((one) => one.moduleIds.includes(module))
          if (!own)
            throw new Error(`${module} is in no file of the build, so that no page could start with it`)
          const files = [...reachedOf(own.fileName, new Set())].filter((file) => !html.includes(file))
          const styles = chunks
            .filter(({ fileName }) => files.includes(fileName))
            .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
          return [...files, ...styles.filter((file) => !html.includes(file))]
        }
        // An index of names: what most pages share is named once.
        const names: string[] = []
        const indexOf = (file: string) => {
          const name = file.slice('assets/'.length)
          return names.includes(name) ? names.indexOf(name) : names.push(name) - 1
        }
        const by_address = PAGES.map(({ at, framed, ...page }) => {
          const modules = [...(framed === false ? [] : [FRAME_SCREEN]), ...firstOf(page)]
          return [
            patternOf(at),
            [...new Set(modules.flatMap(filesOf))].map(indexOf),
            ...shapeOf(page.route),
            page.drawn ?? '',
          ]
        })
        const { code } = await transformWithOxc(readFileSync(EARLY, 'utf8'), EARLY)
        const { code: asking } = minifySync(EARLY, code.replace('export {};', ''))
        const json = (value: unknown) => JSON.stringify(value).replaceAll('"', "'")
        let out = html
          .replace('__NAMES__', () => `'${names.join(' ')}'`)
          .replace('__PAGES__', () => json(by_address))
        out = out.replace('<!-- early -->', () => `<script>(() => {${asking}})()</script>`)
        for (const sheet of sheets) out = out.replace(sheet, '')
        const entry = out.match(/<script type="module"[^>]*><\/script>/g) ?? []
        for (const tag of entry) out = out.replace(tag, '')
        const entering = entry.map((tag) => /src="([^"]+)"/.exec(tag)?.[1])
        out = out.replace('__ENTRY__', () => JSON.stringify(entering).replaceAll('"', "'"))
        return bare(out.replace('</body>', `${sheets.join('')}</body>`))
      },
    },
  }
}

/** Which skeleton a route waits in, and its title: its own words, as its file has them. */
function shapeOf(route: string): [shape: string, title: string] {
  const text = readFileSync(new URL(`src/routes/${route}`, import.meta.url), 'utf8')
  const word = (name: string) => new RegExp(`\\b${name}: '([^']+)'`).exec(text)?.[1] ?? ''
  return [word('skeleton'), word('title')]
}

/** A path of `PAGES` as what the beginning of an address, without its origin, is tried with. */
function patternOf(at: string): string {
  const [path = '', search] = at.split('?')
  return `${path.replaceAll('*', '[^/?]+')}${search === undefined ? '' : `\\?(.*&)?${search.replace('*', '[^&]*')}`}`
}

/** What stands in public/ and is painted: its colours are names there, as in index.html. */
const PAINTED = { '/favicon.svg': 'image/svg+xml', '/manifest.webmanifest': 'application/manifest+json' }

/** Puts the colours of the one sheet that names them where no stylesheet reaches. */
function colours(): Plugin {
  const painted = (path: string) =>
    withColours(readFileSync(new URL(`public${path}`, import.meta.url), 'utf8'))
  return {
    name: 'colours',
    configureServer({ middlewares }) {
      for (const [path, type] of Object.entries(PAINTED))
        middlewares.use(path, (_, answer) => answer.setHeader('content-type', type).end(painted(path)))
    },
    generateBundle() {
      for (const path of Object.keys(PAINTED))
        this.emitFile({ type: 'asset', fileName: path.slice(1), source: painted(path) })
    },
    transformIndexHtml: { order: 'pre', handler: withColours },
  }
}

/** The modules of the entry, with those of whatever it asks for at once. */
function modulesOf(chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk['modules'] {
  const files = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const file of files)
    for (const next of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) files.add(next)
  return Object.assign({}, ...chunks.filter(({ fileName }) => files.has(fileName)).map((one) => one.modules))
}

/** The page as browsers need it: its comments and indents are for who reads the source. A line of the script stays a line. */
function bare(html: string): string {
  return html
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/^\s+/gm, '')
}

/** What stands in the place of React and of the libraries where a page is drawn before the application, and of what needs all of them. */
const ELEMENTS = `${GLANCE}elements.ts`
const LIBRARIES = `${GLANCE}libraries.ts`
const IN_PLACE: Record<string, string> = {
  ...Object.fromEntries(['react', 'react/jsx-runtime', 'react-dom'].map((name) => [name, ELEMENTS])),
  ...Object.fromEntries(
    ['valtio', ...['query', 'router', 'virtual'].map((name) => `@tanstack/react-${name}`)].map((name) => [
      name,
      LIBRARIES,
    ]),
  ),
  [new URL('src/ui/drag-down.ts', import.meta.url).pathname]: ELEMENTS,
}
const NONE = '\0none'
/** Calls to the server: nothing that is drawn early makes one, so that their shapes stay out. */
const CALLS = /\/contract\/(?!errors|limits|permissions|endpoint|ids|return-to)/

/** The file of a page begins so; a record's, which is drawn otherwise, by itself. */
const BEGINS = `${GLANCE}pages.tsx?begins=`
const entryOf = (page: string) => (page === 'record' ? `${GLANCE}record.tsx` : BEGINS + page)

/** Puts ELEMENTS and LIBRARIES in place; leaves out what is loaded later, and what calls the server. */
function withElements(): Plugin {
  return {
    name: 'with-elements',
    enforce: 'pre',
    async resolveId(asked, importer, options) {
      if (asked.startsWith(BEGINS)) return asked
      if (importer === undefined || asked.startsWith('\0')) return null
      const own = IN_PLACE[asked]
      if (own) return own
      const id = (await this.resolve(asked, importer, { ...options, skipSelf: true }))?.id
      if (id === undefined) return null
      return IN_PLACE[id] ?? (CALLS.test(id) && /\/src\/(data|screen)\//.test(importer) ? NONE : null)
    },
    resolveDynamicImport: () => NONE,
    load(id) {
      if (id === NONE) return 'export default {}'
      if (!id.startsWith(BEGINS)) return null
      const page = id.slice(BEGINS.length)
      return `import { ${page} } from '${GLANCE}pages.tsx'\n${page}()`
    },
  }
}

/** What loads by itself in the application and is what somebody looks at first. */
const AT_ONCE = /const (OverviewTab) = lazy\(\(\) =>\s*import\(('[^']+')\)[^;]*?\n\)/

/** Puts what is looked at first in its place at once. */
function withFirstSight(): Plugin {
  return {
    name: 'with-first-sight',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/features\/.+\.tsx$/, code: AT_ONCE },
      handler: (code) => ({ code: code.replace(AT_ONCE, 'import { $1 } from $2'), map: null }),
    },
  }
}

const EVENT = /^on[A-Z]/
const FOR_LATER = new Set(['useEffect', 'useLayoutEffect', 'useEffectEvent'])

/** Leaves out what only acts once the application runs: effects, and what is done when something is pressed or typed. */
function withoutActs(): Plugin {
  return {
    name: 'without-acts',
    transform: {
      filter: { id: /\/src\/.+\.tsx?$/ },
      handler(code) {
        const edits: { start: number; end: number; text: string }[] = []
        const visitor = new Visitor({
          Property({ start, end, key, value }) {
            if (key.type !== 'Identifier' || !EVENT.test(key.name)) return
            // whether there is one may decide what is drawn
            if (/Function/.test(value.type)) edits.push({ start, end, text: `${key.name}: 1` })
          },
          CallExpression({ start, end, callee }) {
            if (callee.type !== 'Identifier' || !FOR_LATER.has(callee.name)) return
            edits.push({ start, end, text: 'void 0' })
          },
        })
        visitor.visit(this.parse(code) as Parameters<typeof visitor.visit>[0])
        // what stands within another is gone with it
        const outer = edits.filter(
          (one) => !edits.some((other) => other !== one && other.start <= one.start && one.end <= other.end),
        )
        let out = code
        // from the end on, so that places stay
        for (const { start, end, text } of outer.sort((a, b) => b.start - a.start))
          out = out.slice(0, start) + text + out.slice(end)
        return { code: out, map: null }
      },
    },
  }
}

/** Builds a file of src/glance into one of its own: with the application's components, and nothing of its libraries. */
async function builtGlance(page: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    css: { modules: { generateScopedName: classOf } },
    plugins: [
      withoutDocument(),
      shapesWhenAsked(),
      withElements(),
      withFirstSight(),
      ...(page === 'record' ? [] : [withoutActs()]),
    ],
    oxc: { jsx: { runtime: 'automatic' } },
    build: {
      target: 'es2022',
      write: false,
      minify: true,
      copyPublicDir: false,
      rolldownOptions: { shimMissingExports: true, treeshake: { moduleSideEffects: false } },
      lib: { entry: entryOf(page), formats: ['iife'], name: 'glance', fileName: 'glance' },
    },
  })
  const parts = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  const file = parts.find((part) => part.type === 'chunk')
  if (!file) throw new Error(`src/glance gave no file for ${page}`)
  return file.code
}

/** Pages that are drawn before the application: a record that an address names also from what the device has, so that it is kept. */
const GLANCES = ['record', ...new Set(PAGES.flatMap(({ drawn }) => drawn ?? []))]

/** Puts them beside the other files under names of their contents; index.html asks for the one of its page. */
function glance(): Plugin {
  const names: Record<string, string> = {}
  return {
    name: 'glance',
    async generateBundle() {
      const sources = await Promise.all(GLANCES.map(builtGlance))
      GLANCES.forEach((page, at) => {
        const name = `glance-${page}.js`
        names[page] = this.getFileName(this.emitFile({ type: 'asset', name, source: sources[at] ?? '' }))
        if (page === 'record') at_start.add(names[page])
        else shown.add(names[page])
      })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace('__GLANCE__', () => JSON.stringify(names).replaceAll('"', "'")),
    },
  }
}

/** What a call is about is said in the server's document only: 15 KB of sentences no browser reads. */
function withoutDocument(): Plugin {
  const line = /^ {2}about:\s+(?:'(?:[^'\\]|\\.)*'|`[^`]*`),$/m
  return {
    name: 'without-document',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contract\/[\w-]+\.ts$/ },
      handler: (code) => ({ code: code.replace(new RegExp(line, 'gm'), ''), map: null }),
    },
  }
}

/**
 * What the browser never asks of a call is not built when its file first runs: the shape of the answer is left out (only the server
 * and the tests look at it), and so is that of an input which no file of the browser asks for as `call.input`, by the call's own
 * name; the others are made when a form asks. What nothing needs then is not sent at all: the files of contract/ do nothing by being
 * there, but for the words of the library, which come with its shapes.
 */
function shapesWhenAsked(): Plugin {
  const read = inputsRead()
  return {
    name: 'shapes-when-asked',
    apply: 'build',
    transform: {
      filter: { id: /\/contract\/[\w/-]+\.ts$/ },
      handler(code) {
        const edits: { start: number; end: number; text: string }[] = []
        const textOf = ({ start, end }: { start: number; end: number }) => code.slice(start, end)
        for (const one of this.parse(code).body) {
          const declared = one.type === 'ExportNamedDeclaration' ? one.declaration : one
          if (declared?.type !== 'VariableDeclaration' || declared.kind !== 'const') continue
          for (const { id, init } of declared.declarations) {
            if (!init || !/\(/.test(textOf(init)) || /Function/.test(init.type)) continue
            edits.push({ start: init.start, end: init.start, text: '/* @__PURE__ */ (() => (' })
            edits.push({ start: init.end, end: init.end, text: '))()' })
            if (init.type !== 'CallExpression' || textOf(init.callee) !== 'endpoint') continue
            const [call] = init.arguments
            if (call?.type !== 'ObjectExpression') continue
            for (const part of call.properties) {
              if (part.type !== 'Property' || part.shorthand || part.key.type !== 'Identifier') continue
              if (part.key.name === 'output') edits.push({ ...part, text: 'output: undefined' })
              if (part.key.name !== 'input') continue
              const asked = id.type === 'Identifier' && read.has(id.name)
              edits.push({ ...part, text: asked ? askedFor(textOf(part.value)) : 'input: undefined' })
            }
          }
        }
        let out = edits.some(({ text }) => text.includes('keptInput'))
          ? `${code}\nimport { keptInput } from '${ENDPOINT}'`
          : code
        for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start))
          out = out.slice(0, start) + text + out.slice(end)
        return { code: out, map: null, moduleSideEffects: false }
      },
    },
  }
}

/** Names of whatever a file of the browser asks for its `input`: more than calls, which does no harm. */
function inputsRead(): ReadonlySet<string> {
  const files = globSync('{src,sw}/**/*.{ts,tsx}', { cwd: import.meta.dirname })
  const texts = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/\b(\w+)\.input\b/g)].map(([, name]) => name ?? '')),
  )
}

/** The property `input` of a call, made the first time it is read. */
const askedFor = (shape: string) => `get input() { return keptInput(this, ${shape}) }`
const ENDPOINT = new URL('contract/endpoint.ts', import.meta.url).pathname

/** What reads files that are brought: bringing them needs the server, so no device keeps it. */
const WITH_NETWORK = /^assets\/original-data\.worker-/

export default defineConfig({
  css: { modules: { generateScopedName: classOf } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: GROUPS,
        },
      },
    },
  },
  plugins: [
    colours(),
    withoutDocument(),
    shapesWhenAsked(),
    // must stand before react(): it writes the route tree and splits the routes into chunks
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      quoteStyle: 'single',
      routeFileIgnorePattern: '\\.css$',
      codeSplittingOptions: { defaultBehavior: [['component']] },
    }),
    react(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      injectRegister: false,
      registerType: 'prompt',
      manifest: false, // public/manifest.webmanifest
      // screenshots and the big icons are for the install sheet, not for the offline copy
      injectManifest: {
        rollupFormat: 'iife',
        // a device that keeps the application starts with index.html: the other pages are for who comes the first time
        globPatterns: ['**/*.{js,css}', 'index.html', 'favicon.svg', 'icons/icon-192.png'],
        manifestTransforms: [
          (entries) => ({
            manifest: entries
              .filter(({ url }) => !shown.has(url) && !WITH_NETWORK.test(url))
              .map((entry) => ({
                ...entry,
                ...(entry.url.startsWith('assets/') && !at_start.has(entry.url) && { later: true }),
              })),
          }),
        ],
      },
    }),
    firstVisit(),
    glance(),
    pages(),
  ],
})
