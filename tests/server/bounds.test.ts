// Every bound of wire §4, from both sides: the last value that is taken, the first that is refused with its field's message.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStrategy, deleteStrategy, type StrategyInput, updateStrategy } from '#contract/strategy.ts'
import type { Kind } from '#tests/fixtures/bound.ts'
import { COMMON_BOUNDS } from '#tests/fixtures/bounds-common.ts'
import { SETTINGS_BOUNDS } from '#tests/fixtures/bounds-settings.ts'
import { type Desk, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Person, signIn } from '#tests/support/people.ts'

const BASE: Record<Kind, Record<string, unknown>> = {
  futures: { kind: 'futures', settings: { product_code: 'TXF' } },
  stock: { kind: 'stock', settings: {} },
  'xq-stock': { kind: 'xq-stock', settings: { xq_script_name: '腳本' } },
}

describeEngines('bounds', (engine) => {
  let desk: Desk
  let person: Person
  let count = 0
  beforeAll(async () => {
    desk = await openDesk({ engine })
    // What is tried here is decided behind the socket: thousands of calls go without one.
    person = await signIn({ ...desk.server, request: desk.server.dispatch }, desk.person.email)
  })
  afterAll(() => desk.server.close())

  /** The input of a kind with one field at a value. */
  function input(
    kind: Kind,
    path: string,
    value: unknown,
    more: Record<string, unknown> = {},
  ): Record<string, unknown> {
    const base = BASE[kind]
    const whole = structuredClone({
      name: `界線 ${++count}`,
      ...base,
      ...more,
      settings: { ...(base['settings'] as object), ...(more['settings'] as object | undefined) },
    }) as Record<string, unknown>
    const steps = path.split('.')
    const last = steps.pop() as string
    let node = whole
    for (const step of steps) {
      node[step] ??= []
      node = node[step] as Record<string, unknown>
    }
    node[last] = value
    return whole
  }
  const remove = (id: string, name: string) => person.call(deleteStrategy, { id, name, keep_records: false })

  const cases = [...COMMON_BOUNDS, ...SETTINGS_BOUNDS].flatMap(([kinds, path, taken, wrong, more]) =>
    kinds.map((kind) => ({ kind, path, taken, wrong, more })),
  )

  describe.each(cases)('$kind $path', ({ kind, path, taken, wrong, more }) => {
    test(`takes what is inside (${taken.length})`, async () => {
      for (const value of taken) {
        const made = await person.call(createStrategy, input(kind, path, value, more) as StrategyInput)
        const [top = '', inner] = path.split('.')
        const shown = { ...made, summary: made.summary_text } as Record<string, unknown>
        const got = inner === undefined ? shown[top] : (shown[top] as Record<string, unknown>)[inner]
        expect(got).toEqual(typeof value === 'string' ? value.trim() : value)
        await remove(made.id, made.name)
      }
    })

    test('refuses what is outside, with the message at the field', async () => {
      const made = await person.call(
        createStrategy,
        input(kind, 'summary', '', more?.['settings'] ? {} : more) as StrategyInput,
      )
      for (const [value, message] of wrong) {
        const body = input(kind, path, value, more)
        const created = await refused(person.call(createStrategy, body as StrategyInput))
        expect([value, created.status, created.code]).toEqual([value, 422, 4220])
        const fields = created.details.fields ?? {}
        if (message === '')
          expect(Object.keys(fields).some((field) => field.startsWith(path.split('.')[0] as string))).toBe(
            true,
          )
        else expect(fields).toEqual({ [path]: message })
        // Messages are for people: Chinese, also where the library made them.
        for (const text of Object.values(fields)) expect(text).toMatch(/[\u4e00-\u9fff]/)
        if (value === undefined) continue
        const { name: _same, kind: _fixed, ...changes } = body
        if (path === 'name') Object.assign(changes, { name: value })
        const changed = await refused(person.call(updateStrategy, { ...changes, id: made.id } as never))
        expect(changed.details.fields).toEqual(fields)
      }
      await remove(made.id, made.name)
    })
  })

  test('an unknown kind and a body that is no object say what is wrong', async () => {
    const unknown = await refused(person.call(createStrategy, { kind: 'bond', name: 'x' } as never))
    expect(unknown.details.fields).toEqual({ kind: '請選策略類型' })
    const missing = await refused(person.call(createStrategy, { kind: 'futures', name: 'x' } as never))
    expect([missing.code, Object.keys(missing.details.fields ?? {})]).toEqual([4220, ['settings']])
  })
})
