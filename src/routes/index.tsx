// /: the landing page, for everybody.
import { createFileRoute } from '@tanstack/react-router'
import { LandingPage } from '#features/landing/LandingPage.tsx'

export const Route = createFileRoute('/')({
  staticData: { title: '凌波 LingBo · 策略訊號，一秒到手' },
  component: LandingPage,
})
