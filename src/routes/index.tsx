// /: the landing page, for everybody.
import { createFileRoute } from '@tanstack/react-router'
import { LandingPage } from '#features/landing/LandingPage.tsx'
import { AppError } from '#features/shell/AppError.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/')({
  staticData: { title: '凌波 LingBo · 策略訊號，一秒到手' },
  validateSearch: texts('source'),
  errorComponent: AppError,
  component: LandingPage,
})
