// Acting as somebody else when it does not work out: the words of the specification, and nothing half done.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Profile } from '#contract/profile.ts'
import { type Data, setData } from '#data/current.ts'
import { memoryStorage } from '#tests/data/support/device.ts'

const ORG = '018f4a1e-7b1a-7000-8000-00000000000f'
const said = vi.hoisted(() => [] as { title: string; variant?: string }[])
vi.mock('#screen/toast.ts', () => ({
  toast: (words: { title: string; variant?: string }) => said.push(words),
}))

beforeAll(() => {
  const target = new EventTarget()
  for (const [name, value] of Object.entries({
    localStorage: memoryStorage(),
    sessionStorage: memoryStorage(),
    dispatchEvent: target.dispatchEvent.bind(target),
    document: { hidden: false },
    requestAnimationFrame: (): number => 0, // nothing is painted here
    matchMedia: () => Object.assign(new EventTarget(), { matches: false }),
  }))
    vi.stubGlobal(name, value)
})
afterAll(() => vi.unstubAllGlobals())

// spec §8: Switch failure: 切換上下文失敗.
test('a switch that fails says so, and one is who one was', async () => {
  const profile = { organizations: [{ id: ORG, name: '海風投顧', role: 'admin' }] } as Profile
  setData({
    query: { getQueryData: () => profile },
    switchContext() {
      throw new Error('the device refused')
    },
  } as unknown as Data)
  const quiet = vi.spyOn(console, 'warn').mockReturnValue()
  const { switchIdentity, switching } = await import('#screen/switch.ts')
  const { auth } = await import('#state/session.ts')
  expect(switchIdentity(ORG)).toBe(false)
  expect(said).toMatchObject([{ title: '切換上下文失敗', variant: 'destructive' }])
  expect(auth.org_id).toBeNull()
  expect(switching.drawn).toBe(true)
  expect(quiet).toHaveBeenCalledOnce()
})
