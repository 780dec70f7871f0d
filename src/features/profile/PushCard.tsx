// 收推播的裝置: this one and the others; how and what else stands in 訊號通知. A phone that never rang is led to it from here.

import { useWide } from '#screen/browser.ts'
import { useGo } from '#screen/go.ts'
import { isCarried, PushDevices, useNeverRang } from '#screen/PushDevices.tsx'
import { ringing } from '#state/install.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'

export function PushCard() {
  const { go } = useGo()
  const phone = !useWide() && isCarried()
  const never = useNeverRang(phone)
  return (
    <Card
      title="收推播的裝置"
      flush
      action={
        never ? (
          <Button size="s" kind="filled" icon="bell" onClick={() => Object.assign(ringing, { open: true })}>
            讓手機響一次
          </Button>
        ) : (
          <Button size="s" {...go('/signal-notification?tab=setting&channel=push')}>
            設定這支裝置
          </Button>
        )
      }
    >
      <PushDevices empty="還沒有裝置打開推播。" />
    </Card>
  )
}
