// /signal-notification: the inbox, and where what is told.
import { createFileRoute } from '@tanstack/react-router'
import { SignalNotificationPage } from '#features/notification/SignalNotificationPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/signal-notification')({
  staticData: { title: '訊號通知', skeleton: 'list' },
  validateSearch: texts('tab', 'id', 'channel', 'state'),
  component: SignalNotificationPage,
})
