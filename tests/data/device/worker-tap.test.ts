// A tap on a notification: where the person is led, and what the server hears of it.
import { expect, test } from 'vitest'
import { ORIGIN, onFreshDevice, openShown, receipts, scene } from '../support/push-worker.ts'

onFreshDevice()

const tap = async (data: unknown) => {
  const closed: boolean[] = []
  await openShown({
    notification: { data, close: () => closed.push(true) },
  })
  return closed.length === 1
}
const data = {
  url: '/signals?signal=x&org=personal',
  notification_id: 'n1',
  delivery_id: 'd0',
  signal_id: 's0',
}
/** A window that answers when it is asked to go somewhere, or does not. */
const window = (visibilityState: string, answers: boolean) => {
  const asked: string[] = []
  return {
    ...{ visibilityState, focused: false, asked },
    focus() {
      asked.push('focus')
      return Promise.resolve(this)
    },
    postMessage(said: { type: string; path: string }, [port]: [MessagePort]) {
      asked.push(`${said.type} ${said.path}`)
      if (answers) port.postMessage(true)
    },
    navigate(href: string) {
      asked.push(`navigate ${href}`)
      return Promise.resolve(this)
    },
  }
}

test('leads the open window there, the one in front first, and says that it was opened', async () => {
  const [behind, front] = [window('hidden', true), window('visible', true)]
  scene.windows = [behind, front]
  expect(await tap(data)).toBe(true)
  // on a machine that stood still in between it is loaded anew as well
  expect(front.asked.slice(0, 2)).toEqual(['focus', `GO ${data.url}`])
  expect(behind.asked).toEqual([])
  expect(await receipts()).toEqual([
    {
      items: [{ channel: 'push', delivery_id: 'd0', signal_id: 's0', opened_at: expect.any(String) }],
    },
  ])
})

test('a window that does not answer is loaded anew; without any one is opened', async () => {
  const deaf = window('visible', false)
  scene.windows = [deaf]
  await tap(data)
  expect(deaf.asked.at(-1)).toBe(`navigate ${ORIGIN}${data.url}`)
  scene.windows = []
  await tap(data)
  expect(scene.opened).toEqual([`${ORIGIN}${data.url}`])
  await tap(null)
  expect(scene.opened.at(-1)).toBe(`${ORIGIN}/`)
})
