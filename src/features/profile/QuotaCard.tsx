// How much of one's room on the server is taken: said before a form is refused for want of it.
import { useQuery } from '@tanstack/react-query'
import { profileQueries } from '#data/profile.ts'
import { bytes, number } from '#text/format.ts'
import { Card } from '#ui/Card.tsx'
import { KeyValues } from '#ui/KeyValues.tsx'

type Share = { used: number; most: number }

const shown = (share: Share | undefined, unit: (value: number) => string) =>
  share ? `${unit(share.used)} / ${unit(share.most)}` : '—'

export function QuotaCard() {
  const { data } = useQuery(profileQueries.usage())
  return (
    <Card title="伺服器上的空間" pad>
      <KeyValues
        rows={[
          { label: '策略', value: shown(data?.strategies, (count) => `${number(count)} 個`) },
          { label: '說明', value: shown(data?.note_signs, (signs) => `${number(signs)} 字`) },
          { label: '圖片', value: shown(data?.image_bytes, bytes) },
        ]}
      />
      <p className="t13 ink3">只算你個人的；組織的另外計算。</p>
    </Card>
  )
}
