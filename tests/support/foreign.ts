// Every name the server knows a value by (columns of all tables, fields of all answers), each with a value that is somebody else's.
import type { Kysely } from 'kysely'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import type { Schema } from '#server/db/schema.ts'
import { tablesOf } from './tables.ts'
import type { Things } from './trial.ts'

/** Whose things the foreign values name. */
export interface Stranger {
  uid: string
  organization_id: string
  things: Things
}

interface Shape {
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  additionalProperties?: Shape | boolean
}

/** No clock of these tests shows it. */
export const FOREIGN_TIME = '2001-01-01T00:00:00.000Z'
const FOREIGN_HASH = 'f'.repeat(64)
const FOREIGN_NUMBER = 7_654_321
/** Words that mean something where they stand. */
const WORDS: Record<string, string> = {
  role: 'admin',
  owner_type: 'organization',
  status: 'archived',
  outcome: 'accepted',
  action: 'sell',
  source: 'correction',
}

/** Column names of the database with the type it says they have. */
export async function columnsOf(db: Kysely<Schema>): Promise<Map<string, string>> {
  const tables = await tablesOf(db)
  return new Map(
    tables.flatMap(({ columns }) =>
      columns.map(({ name, dataType }) => [name, dataType.toLowerCase()] as const),
    ),
  )
}

interface InputNames {
  readonly top: ReadonlySet<string>
  readonly any: ReadonlySet<string>
}
const inputNamesOf = new WeakMap<Endpoint, InputNames>()

/** The names at the top of an input (of any of its variants), and those anywhere in it. */
export function inputNames(endpoint: Endpoint): InputNames {
  const known = inputNamesOf.get(endpoint)
  if (known) return known
  const shape = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as Shape
  const names = { top: new Set(namesIn(shape, 0)), any: new Set(namesIn(shape)) }
  inputNamesOf.set(endpoint, names)
  return names
}

/** The field names of all answers: the same for every call, and dear to find. */
let answerNames: ReadonlySet<string> | undefined

/** Every known name with a foreign value; `booleans`: numbers are true instead, as a flag would be sent. */
export function foreignFields(
  columns: ReadonlyMap<string, string>,
  endpoint: Endpoint,
  stranger: Stranger,
  booleans: boolean,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  answerNames ??= new Set(
    ENDPOINTS.flatMap(({ output }) =>
      namesIn(z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }) as Shape),
    ),
  )
  for (const name of answerNames) fields[name] = foreignValue(name, 'text', endpoint, stranger, booleans)
  for (const [name, type] of columns) fields[name] = foreignValue(name, type, endpoint, stranger, booleans)
  return fields
}

function foreignValue(
  name: string,
  type: string,
  endpoint: Endpoint,
  { uid, organization_id, things }: Stranger,
  booleans: boolean,
): unknown {
  const ids: Record<string, string> = {
    uid,
    user_id: uid,
    owner_id: uid,
    created_by: uid,
    organization_id,
    scope: `p:${uid}`,
    last_signal_id: things.signal_id,
    refers_to: things.signal_id,
    duplicate_of: things.delivery_id,
  }
  const known = things as unknown as Record<string, string>
  if (name === 'id') return known[`${endpoint.name.split('.')[0]}_id`] ?? uid
  const id = ids[name] ?? known[name] ?? WORDS[name]
  if (id !== undefined) return id
  if (/int|real|float|double|numeric/.test(type)) return booleans ? true : FOREIGN_NUMBER
  if (/hash$/.test(name)) return FOREIGN_HASH
  if (/_(at|until|on)$|^at$/.test(name)) return FOREIGN_TIME
  return `foreign ${name}`
}

/** Property names down to `deep` levels; the variants of a choice count as one. */
function namesIn(shape: Shape, deep = Number.POSITIVE_INFINITY): string[] {
  const own = Object.entries(shape.properties ?? {}).flatMap(([name, inner]) =>
    deep > 0 ? [name, ...namesIn(inner, deep - 1)] : [name],
  )
  const variants = [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])]
  const more = typeof shape.additionalProperties === 'object' ? [shape.additionalProperties] : []
  const inside = deep > 0 ? [...(shape.items ? [shape.items] : []), ...more] : []
  return [
    ...own,
    ...variants.flatMap((one) => namesIn(one, deep)),
    ...inside.flatMap((one) => namesIn(one, deep)),
  ]
}
