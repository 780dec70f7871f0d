// Which files of contract/ and trading/ stand in the entry of the built application. Every first visit pays for each of them, so that
// shapes of calls load with the screens that use them, and one more call costs the entry nothing.

interface Allowed {
  readonly why: string
  /**
   * Bytes as the bundler writes them, before they are made small; less than a hundred are free. Absent where a file grows by a
   * row of words: then it holds no shape at all.
   */
  readonly most?: number
}

const IN_ENTRY: Readonly<Record<string, Allowed>> = {
  'contract/endpoint.ts': { why: 'the client makes addresses of calls by it', most: 700 },
  'contract/envelope.ts': { why: 'the client opens every answer by it', most: 800 },
  'contract/errors.ts': { why: 'what an answer says went wrong, in words' },
  'contract/fields.ts': {
    why: 'what the two calls below are made of; a field is in the entry whoever uses it, so that a large one stands elsewhere',
    most: 4_500,
  },
  'contract/ids.ts': { why: 'every call that changes something carries a number of its own', most: 600 },
  'contract/limits.ts': { why: 'how long the client waits, keeps and tries' },
  'contract/permissions.ts': { why: 'the routes ask what this identity may open' },
  'contract/return-to.ts': { why: 'the routes ask where a sign-in may lead', most: 1_000 },
  'contract/start.ts': {
    why: 'every start asks who this is, and a session can end before any page is here',
    most: 600,
  },
  'trading/unseen.ts': { why: 'fields take no signs that nobody sees', most: 700 },
}

/** Modules of a file of the build, by their paths. */
export type Rendered = Readonly<Record<string, { readonly renderedLength: number }>>

const ROOT = new URL('../../', import.meta.url).pathname
const OF_CONTRACT = /^(contract|trading)\//

/** What of `modules`, the entry's, is not as `IN_ENTRY` says: a sentence each. */
function wrongInEntry(modules: Rendered): string[] {
  const there = new Map(
    Object.entries(modules)
      .filter(([, { renderedLength }]) => renderedLength > 0)
      .map(([id, { renderedLength }]) => [id.replace(ROOT, ''), renderedLength] as const)
      .filter(([path]) => OF_CONTRACT.test(path)),
  )
  const wrong = [...there].flatMap(([path, bytes]) => {
    const allowed = IN_ENTRY[path]
    if (!allowed) return [`${path} (${bytes} bytes) came into it; who imports it from there?`]
    const { most = bytes } = allowed
    return bytes > most ? [`${path} has ${bytes} bytes of ${most}; what is new may load with its screen`] : []
  })
  const gone = Object.keys(IN_ENTRY).filter((path) => !there.has(path))
  return [...wrong, ...gone.map((path) => `${path} is not in it any more`)]
}

/** Stops the build when the entry holds more of the contract than `IN_ENTRY` says, or less. */
export function entryAsListed(modules: Rendered): void {
  const wrong = wrongInEntry(modules)
  if (wrong.length === 0) return
  throw new Error(`The entry is not as server/cli/entry-contract.ts lists it: ${wrong.join('; ')}`)
}
