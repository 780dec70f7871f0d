// What takes whose place among the short messages (docs/decisions/screens.md).
import { notifications, notificationsStore } from '@mantine/notifications'
import { beforeEach, expect, test, vi } from 'vitest'
import { clear, show, type Toast } from '#screen/toaster.tsx'

const FAILED: Toast = { title: '沒有存下來', variant: 'destructive' }
const OFFER: Toast = { title: '已取消釘選', action: { label: '復原', onPick: () => {} } }
const standing = () => notificationsStore.getState().notifications

beforeEach(() => {
  vi.stubGlobal('innerWidth', 1440)
  clear()
})

test('the same failure again takes its own place', () => {
  for (let times = 0; times < 3; times++) show(FAILED)
  expect(standing()).toHaveLength(1)
  show({ ...FAILED, description: '目前離線。' })
  expect(standing()).toHaveLength(2)
})

test('two of the same words that each offer something both stand', () => {
  show(OFFER)
  show(OFFER)
  expect(standing()).toHaveLength(2)
})

test('an offer that is closed leaves what its like knew', () => {
  show(FAILED)
  show({ ...OFFER, title: FAILED.title })
  notifications.hide(standing()[1]?.id as string)
  show(FAILED)
  expect(standing().filter(({ role }) => role === 'alert')).toHaveLength(1)
})

test('what only tells something makes way for the next', () => {
  show({ title: '已複製' })
  show(FAILED)
  show({ title: '已儲存' })
  expect(standing().map(({ title }) => title)).toEqual([FAILED.title, '已儲存'])
})
