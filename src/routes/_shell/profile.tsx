// /profile: who I am, how it looks, where I am signed in.
import { createFileRoute } from '@tanstack/react-router'
import { ProfilePage } from '#features/profile/ProfilePage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/profile')({
  staticData: { title: '個人設定', skeleton: 'form' },
  validateSearch: texts('tab', 'returnTo', 'renew', 'verify'),
  component: ProfilePage,
})
