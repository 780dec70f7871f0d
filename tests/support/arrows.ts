// Who uses whom inside one room, part by part: by imports, also of types, and by what is handed around. A member that a part adds to
// App (or Tx) is that part's wherever it is taken, though nobody imports it (docs/decisions/041).
import { importsOf, target } from './sources.ts'

export interface Source {
  readonly path: string
  readonly text: string
}

/** A file of one part uses another part. */
export interface Arrow {
  readonly path: string
  readonly from: string
  readonly to: string
}

/** The folder or file that stands directly under a room such as `server/`. */
export const partOf = (room: string, path: string): string =>
  (path.slice(room.length).split('/')[0] as string).replace(/\.tsx?$/, '')

const EXTENDED = /\bdeclare module '([^']+)' \{\n([\s\S]*?)\n\}/g
const INTERFACE = /\binterface (\w+) \{\n([\s\S]*?)\n {2}\}/g
const MEMBER = /^ {4}(?:readonly )?(\w+)\??[:(<]/gm

/** What a file adds to the types of another one of its room: the name of the type and of the member. */
export function addedBy(room: string, { path, text }: Source): { type: string; member: string }[] {
  return [...text.matchAll(EXTENDED)]
    .filter(([, spec = '']) => target(path, spec)?.startsWith(room))
    .flatMap(([, , inside = '']) => [...inside.matchAll(INTERFACE)])
    .flatMap(([, type = '', members = '']) =>
      [...members.matchAll(MEMBER)].map(([, member = '']) => ({ type, member })),
    )
}

/** Every member of such a type that a file takes: `app.member`, `{ member }: App`, `Pick<App, 'member'>`, `App['member']`. */
function takenBy(type: string, text: string): Set<string> {
  const named = [...text.matchAll(new RegExp(`(\\w+)\\??: (?:\\(\\) => )?${type}\\b(?!\\[)`, 'g'))]
  // A field that is a Pick of it is called as a whole one is.
  const values = new Set([type.toLowerCase(), ...named.map(([, name = '']) => name)])
  const from = (name: string | undefined, members: string) =>
    name === undefined || values.has(name) ? members : ''
  const members = [
    ...[...text.matchAll(/(\w+)(?:\(\))?\??\.(\w+)/g)].map(([, name, member = '']) => from(name, member)),
    ...[
      ...text.matchAll(
        new RegExp(`\\{([^{}]*)\\}(?:: ${type}\\b(?!\\[)| = (?:this\\.)?#?(\\w+)(?:\\(\\))?\\n)`, 'g'),
      ),
    ].map(([, names = '', name]) => from(name, names)),
    ...[...text.matchAll(new RegExp(`\\b(?:Pick|Omit)<\\s*${type},([^>]*)>`, 'g'))].map(
      ([, names = '']) => names,
    ),
    ...[...text.matchAll(new RegExp(`\\b${type}\\['(\\w+)'\\]`, 'g'))].map(([, member = '']) => member),
  ]
  return new Set(members.join(' ').match(/\w+/g))
}

/** Every use of one part by another; a room is written with its slash. */
export function arrowsOf(room: string, all: readonly Source[]): Arrow[] {
  const inside = all.filter(({ path }) => path.startsWith(room))
  const added = inside.flatMap((one) =>
    addedBy(room, one).map((member) => ({ ...member, to: partOf(room, one.path) })),
  )
  const types = [...new Set(added.map(({ type }) => type))]
  return inside.flatMap(({ path, text }) => {
    const from = partOf(room, path)
    const imported = importsOf(text)
      .map((spec) => target(path, spec))
      .filter((to) => to?.startsWith(room))
      .map((to) => partOf(room, to as string))
    const taken = types.flatMap((type) => {
      const members = takenBy(type, text)
      return added.filter((one) => one.type === type && members.has(one.member)).map(({ to }) => to)
    })
    return [...imported, ...taken].filter((to) => to !== from).map((to) => ({ path, from, to }))
  })
}
