// 收推播的裝置: this one and the others; how and what else stands in 訊號通知.
import { useGo } from '#screen/go.ts'
import { PushDevices } from '#screen/PushDevices.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'

export function PushCard() {
  const { go } = useGo()
  return (
    <Card
      title="收推播的裝置"
      flush
      action={
        <Button size="s" {...go('/signal-notification?tab=setting&channel=push')}>
          設定這支裝置
        </Button>
      }
    >
      <PushDevices empty="還沒有裝置打開推播。" />
    </Card>
  )
}
