// Where every question of every noun is filed, and in whose name it is asked: what belongs to an organization goes with it.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallOptions } from '#data/client.ts'
import { type Data, setData } from '#data/current.ts'
import { isPersons, type Key, keyCtx, keys } from '#data/keys.ts'
import { ROOT } from '../../support/sources.ts'

const ORG = 'org:0197a1b2-0000-7000-8000-00000000000a' as const
/** What a builder may take after the context, or in its place. */
const GIVEN = [ORG, 'some-id', {}, '{}'] as const
/** What is asked of one of a few, named in place of a context. */
const NAMED: Readonly<Record<string, readonly unknown[]>> = {
  'channelQueries.binding': ['line'],
  'webhookQueries.preview': [GIVEN[0], { id: 'w', format: 'auto' }, { delivery_id: 'd', mapping: '{}' }],
}
/** Asked of the device itself: no call, and their arguments are records. */
const OF_DEVICE = [
  'statisticsQueries.ofDevice',
  'stockStatisticsQueries.ofDevice',
  'sessionQueries.user',
  'outboxQueries.ofOthers',
]

interface Question {
  queryKey: Key
  queryFn: (context: { signal: AbortSignal; pageParam: null }) => Promise<unknown>
}
type Builder = (...given: readonly unknown[]) => Question

const questions: { name: string; ask: Builder }[] = []
const NOUNS = join(ROOT, 'src/data/nouns')
for (const file of readdirSync(NOUNS).filter((name) => /^[\w-]+\.ts$/.test(name))) {
  const path = join(NOUNS, file)
  const noun: Record<string, unknown> = await import(/* @vite-ignore */ path)
  for (const [name, builders] of Object.entries(noun))
    if (name.endsWith('Queries'))
      for (const [one, ask] of Object.entries(builders as Record<string, Builder>))
        questions.push({ name: `${name}.${one}`, ask })
}

const asked: { endpoint: Endpoint; input: unknown; options: CallOptions }[] = []
beforeEach(() => {
  asked.length = 0
  const call = async (endpoint: Endpoint, input: unknown, options: CallOptions) => {
    asked.push({ endpoint, input, options })
    // a list of which nothing is left to read
    return { items: [], total: 0 }
  }
  const download = async (...given: Parameters<typeof call>) => {
    await call(...given)
    return { filename: 'picture.webp', blob: new Blob(['x']) }
  }
  setData({ client: { call, download }, session: { uid: () => 'me' } } as unknown as Data)
})

test('every noun with questions is looked at', () => {
  expect(questions.length).toBeGreaterThan(25)
  expect(OF_DEVICE.filter((name) => !questions.some((one) => one.name === name))).toEqual([])
})

test.each(questions.filter(({ name }) => !OF_DEVICE.includes(name)))(
  '$name: asked in the name it is filed under',
  async ({ name, ask }) => {
    const { queryKey, queryFn } = ask(...(NAMED[name] ?? GIVEN))
    await queryFn({ signal: new AbortController().signal, pageParam: null })
    expect(asked).toHaveLength(1)
    const [{ endpoint, input, options }] = asked as [(typeof asked)[number]]
    if (isPersons(queryKey)) {
      // whoever is signed in may ask it in any identity, or nobody need be: it says nothing that an organization could take back
      // announcements are of organizations too: only the platform's say nothing of one
      if (endpoint.who === 'my-announcements:view' || endpoint.name.startsWith('announcement.'))
        expect(input).toMatchObject({ scope: 'platform' })
      else expect(['login', 'public', 'my-organizations:view']).toContain(endpoint.who)
      expect(options.ctx).toBeUndefined()
      expect(JSON.stringify(endpoint.path)).not.toMatch(/organizations\/:/)
    } else {
      expect(queryKey[0]).toBe(ORG)
      expect(options.ctx).toBe(ORG)
      expect(keyCtx(queryKey)).toBe(ORG)
      // in another name than the page's only in that of the organization it is filed under
      if (options.as) expect(options.as).toEqual({ uid: 'me', org_id: ORG.slice('org:'.length) })
    }
  },
)

test('nothing under the person is a noun that organizations have', () => {
  const under_person = Object.values(keys.person).map((key) =>
    typeof key === 'function' ? key('x' as never) : key,
  )
  const nouns = new Set(under_person.map((key) => key[1]))
  for (const noun of ['strategy', 'signal', 'group', 'membership', 'announcement', 'dashboard', 'webhook'])
    expect(nouns.has(noun as never)).toBe(false)
})
