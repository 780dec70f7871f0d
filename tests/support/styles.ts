// The stylesheets and who uses them, read as text: which class stands where, what components ask for, what tests look for.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { classOf } from '#server/cli/class-name.ts'
import { files, ROOT, target } from './sources.ts'

/**
 * Sheets for everybody: the values, the reset, the type and the words of layout; and what a library reads at the root of the
 * page, which no module can say. Every other sheet is the module of the component beside it.
 */
export const EVERYBODY = [
  'src/ui/base.css',
  'src/ui/mantine/mantine.css',
  'src/ui/text.css',
  'src/ui/tokens.css',
]

export interface Sheet {
  path: string
  text: string
  /** Names of classes as they stand there, without what `:global()` names. */
  own: Set<string>
  /** Classes of others that it names by `:global()`. */
  foreign: string[]
}

const CLASS = /\.([a-zA-Z_][\w-]*)/g
const GLOBAL = /:global\(([^)]*)\)/g
const named = (text: string) => [...text.matchAll(CLASS)].map(([, name]) => name as string)

/** What stands before each brace; without comments, names of files, and what stands in brackets. */
function selectors(text: string): string {
  const plain = text.replace(/\/\*[\s\S]*?\*\/|@(import|layer)[^{;]*;|\[[^\]]*\]/g, '')
  return [...plain.matchAll(/([^{};]*)\{/g)].map(([, before]) => before).join('\n')
}

export const sheets: Sheet[] = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name) => {
    const path = join('src', name)
    const text = readFileSync(join(ROOT, path), 'utf8')
    const all = selectors(text).replace(/^\s*@.*$/gm, '')
    const foreign = [...all.matchAll(GLOBAL)].flatMap(([, inside]) => named(inside as string))
    return { path, text, foreign, own: new Set(named(all.replace(GLOBAL, ''))) }
  })
export const isModule = ({ path }: Sheet) => path.endsWith('.module.css')
const modules = new Map(sheets.filter(isModule).map((sheet) => [sheet.path, sheet]))

/** Every class there is on a page, by the name it has there, with the sheets that name it. */
export const onPage = new Map<string, Set<string>>()
for (const sheet of sheets)
  for (const own of sheet.own) {
    const name = isModule(sheet) ? classOf(own, sheet.path) : own
    onPage.set(name, (onPage.get(name) ?? new Set()).add(sheet.path))
  }

for (const name of named(
  readFileSync(join(ROOT, 'index.html'), 'utf8').match(/<style>[\s\S]*<\/style>/)?.[0] ?? '',
))
  onPage.set(name, new Set(['index.html']))

/** Imports of CSS modules: who, what, under which name. */
const uses = files.flatMap(({ path, text }) =>
  [...text.matchAll(/^import (\w+) from '([^']+\.module\.css)'$/gm)].map(([, as, spec]) => ({
    path,
    text,
    as: as as string,
    sheet: target(path, spec as string) as string,
  })),
)

/** A module without its component beside it, or asked for from outside its folder. */
export function strayed(): string[] {
  const alone = [...modules.keys()].filter(
    // what is drawn without React stands in a file of the same name, too
    (path) => !['.tsx', '.ts'].some((end) => existsSync(join(ROOT, path.replace('.module.css', end)))),
  )
  return [
    ...alone.map((path) => `${path}: there is no component of this name beside it`),
    ...uses
      .filter(({ path, sheet }) => relative(dirname(sheet), path).startsWith('..'))
      .map(({ path, sheet }) => `${path}: ${sheet} belongs to its own folder; make what you need a prop`),
  ]
}

/** What parts are made of inside. */
const INSIDE = ['a', 'button', 'fieldset', 'input', 'label', 'search', 'select', 'svg', 'textarea']

/** Parts that say of themselves which bare element of the platform whoever asks puts into them: no other part's inside. */
const FRAMES: Record<string, readonly string[]> = {
  'src/ui/CardRows.module.css': ['a'],
  'src/ui/InputBox.module.css': ['input', 'select', 'textarea'],
}

/** Sheets that reach into another part: by `:global()`, or by an element that none of those who ask for the sheet write. */
export function reached(): string[] {
  const framed = new Set(
    Object.entries(FRAMES).flatMap(([path, elements]) => elements.map((element) => `${path}: ${element}`)),
  )
  const found = sheets.filter(isModule).flatMap(({ path, text }) => {
    const all = selectors(text).replace(/^\s*@.*$/gm, '')
    const written = uses.filter(({ sheet }) => sheet === path).map((use) => use.text)
    return [
      ...[...all.matchAll(GLOBAL)].map(([found]) => `${path}: ${found}`),
      ...INSIDE.filter(
        (element) =>
          new RegExp(`(^|[\\s>+~(,])${element}(?![\\w-])`, 'm').test(all) &&
          !written.some((one) => new RegExp(`<${element}[\\s>]`).test(one)),
      ).map((element) => `${path}: ${element}`),
    ]
  })
  return [
    ...found.filter((one) => !framed.has(one)),
    ...[...framed].filter((one) => !found.includes(one)).map((one) => `${one} is not framed any more`),
  ]
}

/** So many may ask for one module: the parts of what it frames. More are a component that is missing. */
const MOST_ASK = 12

/** Modules that have become sheets for everybody. */
export function crowded(): string[] {
  const asked = Map.groupBy(uses, ({ sheet }) => sheet)
  return [...asked]
    .filter(([, by]) => by.length > MOST_ASK)
    .map(([sheet, by]) => `${sheet}: ${by.length} ask for it; make components of what they share`)
}

/** Classes that are asked for and not there, and classes nobody asks for. */
export function unmatched(): string[] {
  const wrong: string[] = []
  const asked = new Map<string, Set<string>>()
  for (const { path, text, as, sheet } of uses) {
    const names = asked.get(sheet) ?? new Set()
    asked.set(sheet, names)
    for (const [, dot, key] of text.matchAll(new RegExp(`\\b${as}(?:\\.(\\w+)|\\[([^\\]]+)\\])`, 'g'))) {
      // a name that is computed may be any of them
      if (!dot && !/^'\w+'$/.test(key as string))
        for (const one of modules.get(sheet)?.own ?? []) names.add(one)
      const name = dot ?? /^'(\w+)'$/.exec(key as string)?.[1]
      if (!name) continue
      names.add(name)
      if (!modules.get(sheet)?.own.has(name)) wrong.push(`${path}: .${name} is not in ${sheet}`)
    }
  }
  for (const [path, { own }] of modules)
    for (const name of own) if (!asked.get(path)?.has(name)) wrong.push(`${path}: nobody asks for .${name}`)
  return wrong
}

/** Classes written out in a component that no sheet for everybody has. */
export function unknown(): string[] {
  const free = new Set(sheets.filter((sheet) => !isModule(sheet)).flatMap(({ own }) => [...own]))
  return files
    .filter(({ path }) => path.startsWith('src/') && path.endsWith('.tsx'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\bclassName="([^"]+)"/g)]
        .flatMap(([, names]) => (names as string).split(/\s+/))
        .filter((name) => !free.has(name))
        .map((name) => `${path}: no sheet has .${name}`),
    )
}

/** Values that no sheet, component or page reads. */
export function unread(): string[] {
  const readers = [
    ...sheets,
    ...files.filter(({ path }) => /^src\/.+\.tsx?$/.test(path)),
    { path: 'index.html', text: readFileSync(join(ROOT, 'index.html'), 'utf8') },
  ]
  // to be given a value is not to be read
  const read = new Set(
    readers.flatMap(({ text }) => [...text.matchAll(/--[\w-]+(?![\w-]*\s*:)/g)].map(([name]) => name)),
  )
  const tokens = sheets.find(({ path }) => path === 'src/ui/tokens.css')?.text ?? ''
  return [...new Set([...tokens.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name as string))].filter(
    (name) => !read.has(name),
  )
}

/** Classes that tests look for and no page has. */
export function sought(): string[] {
  const calls =
    /(?:locator|querySelector(?:All)?|closest|matches|waitForSelector)(?:<[^>]*>)?\(\s*(?:'([^'\n]*)'|`([^`]*)`)/g
  return files
    .filter(({ path }) => path.startsWith('tests/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(calls)]
        .flatMap(([, quoted, templated]) =>
          named((quoted ?? templated ?? '').replace(/\[[^\]]*\]|"[^"]*"|\$\{[^}]*\}/g, '')),
        )
        .filter((name) => !onPage.has(name))
        .map((name) => `${path}: no page has .${name}`),
    )
}

/** Two classes of different components that would be called the same on the page. */
export function doubled(): string[] {
  return [...onPage]
    .map(([name, where]) => [name, [...where].filter((path) => modules.has(path))] as const)
    .filter(([, where]) => where.length > 1)
    .map(([name, where]) => `.${name}: ${where.join(', ')}`)
}
