// Draws the first pages of a stranger at build: index.html with the page in its place, and the looks that it needs
// (docs/decisions/first-visit.md).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, minifySync, type Plugin, type Rolldown, transformWithOxc } from 'vite'
import { classOf } from './building.ts'
import { screenAt } from './chunks.ts'

const source = (path: string) => new URL(`../../src/prerender/${path}`, import.meta.url).pathname

/** As src/prerender/pages.tsx draws it. */
interface Drawn {
  readonly name: string
  readonly path: string
  readonly title: string
  /** By whom it is for; `''` without a script. */
  readonly html: Readonly<Record<string, string>>
}

/** Without a script the page stands at once, no key of it does anything, and its form cannot be sent. */
const SILENT =
  '<noscript><style>#root{display:block!important}#root button:not(:disabled){display:none}noscript p{margin-bottom:16px}' +
  'body>noscript{display:block;padding:0 16px 24px;text-align:center;color:var(--ink-3)}</style></noscript>'
const FORM = '<noscript><p>登入與註冊需要 JavaScript，請在瀏覽器設定中開啟，再重新整理這一頁。</p></noscript>'

/** Runs the components where no browser is. */
async function drawn(): Promise<readonly Drawn[]> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    css: { modules: { generateScopedName: classOf } },
    oxc: { jsx: { runtime: 'automatic' } },
    ssr: { noExternal: true },
    build: {
      ssr: source('pages.tsx'),
      write: false,
      copyPublicDir: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const parts = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  const file = parts.find((part) => part.type === 'chunk')
  if (!file) throw new Error('src/prerender gave no file')
  // what the parts ask of a browser before anything is drawn
  Object.assign(globalThis, { matchMedia: () => new EventTarget(), localStorage: { getItem: () => null } })
  const folder = mkdtempSync(join(tmpdir(), 'lingbo-pages-'))
  try {
    writeFileSync(join(folder, 'pages.mjs'), file.code)
    return (await import(pathToFileURL(join(folder, 'pages.mjs')).href)).DRAWN
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The sheets of a page in the order in which the application has them: the entry's, then those of its parts, its own last. */
function sheetsOf(path: string, index: string, bundle: Rolldown.OutputBundle): string {
  const files = Object.values(bundle)
  const chunks = files.filter((part) => part.type === 'chunk')
  const names = new Set([...index.matchAll(/rel="stylesheet"[^>]*href="\/([^"]+)"/g)].map(([, name]) => name))
  const seen = new Set<string>()
  const add = (chunk: Rolldown.OutputChunk | undefined) => {
    if (!chunk || seen.has(chunk.fileName)) return
    seen.add(chunk.fileName)
    for (const next of chunk.imports) add(chunks.find(({ fileName }) => fileName === next))
    for (const name of chunk.viteMetadata?.importedCss ?? []) names.add(name)
  }
  add(chunks.find(({ moduleIds }) => moduleIds.includes(screenAt(path) ?? '')))
  return [...names]
    .map((name) => files.find(({ fileName }) => fileName === name))
    .map(textOf)
    .join('')
}

const textOf = (part: Rolldown.OutputBundle[string] | undefined) =>
  part?.type === 'asset' ? Buffer.from(part.source).toString('utf8') : ''

/** The rules of a sheet that can match in a page with these classes. */
function usedOf(sheet: string, classes: ReadonlySet<string>): string {
  let out = ''
  let rest = sheet
  for (let open = rest.search(/[{;]/); open >= 0; open = rest.search(/[{;]/)) {
    const head = rest.slice(0, open)
    let end = open + 1
    if (rest[open] === '{')
      for (let depth = 1; depth > 0; end += 1) depth += rest[end] === '{' ? 1 : rest[end] === '}' ? -1 : 0
    const body = rest.slice(open + 1, end - 1)
    if (/^@(media|layer|supports)/.test(head) && rest[open] === '{') {
      const inner = usedOf(body, classes)
      if (inner) out += `${head}{${inner}}`
    } else if (head.startsWith('@') || head.split(/,(?![^(]*\))/).some(canMatch)) out += rest.slice(0, end)
    rest = rest.slice(end)
  }
  return out
  function canMatch(selector: string): boolean {
    const needed = selector.replaceAll(/:(?:is|where|not|has)\((?:[^()]|\([^()]*\))*\)/g, '')
    return [...needed.matchAll(/\.([\w-]+)/g)].every(([, name = '']) => classes.has(name))
  }
}

function pageOf({ name, title, html }: Drawn, index: string, styles: string, script: string): string {
  const { '': plain = '', ...others } = html
  const all = Object.values(html).join('')
  if (/ style="/.test(all)) throw new Error(`${name} has a style of its own, which the policy refuses`)
  const classes = new Set([...all.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')))
  const looks = usedOf(styles, classes)
  const silent = (drawn: string) =>
    drawn
      .replaceAll('<form ', `${FORM}<form method="post" `)
      .replaceAll('type="submit"', 'type="submit" disabled=""')
  const templates = Object.entries(others).map(
    ([when, drawn]) => `<template data-when="${when}">${silent(drawn)}</template>`,
  )
  const replaced: [from: RegExp, to: string][] = [
    // nothing is asked for these pages (src/early.ts)
    [/<script>(?:(?!<\/script>)[\s\S])*indexedDB\.open[\s\S]*?<\/script>/, ''],
    [/<title>.*?<\/title>/, `<title>${title}</title>`],
    [/<\/head>/, `<style>${looks}</style>${SILENT}</head>`],
    [
      /<div id="root">[\s\S]*<\/div>(?=\s*<noscript>)/,
      `${templates.join('')}<div id="root" hidden>${silent(plain)}</div><script>${script}</script>`,
    ],
  ]
  // a form says it beside its fields
  if (plain.includes('<form')) replaced.push([/<noscript>凌波[^<]*<\/noscript>/, ''])
  return replaced.reduce((page, [from, to]) => {
    if (!from.test(page)) throw new Error(`server/cli/prerender.ts: index.html has no ${from} any more`)
    return page.replace(from, () => to)
  }, index)
}

/** Puts the drawn pages beside index.html. */
export function pages(): Plugin {
  return {
    name: 'pages',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const index = textOf(bundle['index.html'])
        const before = source('before.ts')
        const { code } = await transformWithOxc(readFileSync(before, 'utf8'), before)
        const script = `(() => {${minifySync(before, code.replace('export {};', '')).code}})()`
        for (const page of await drawn())
          this.emitFile({
            type: 'asset',
            fileName: `${page.name}.html`,
            source: pageOf(page, index, sheetsOf(page.path, index, bundle), script),
          })
      },
    },
  }
}
