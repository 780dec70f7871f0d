// What of the person's own room on the server is taken.
import { useQuery } from '@tanstack/react-query'
import { usageQueries } from '#data/nouns/usage.ts'
import { UsageCard } from '#screen/UsageCard.tsx'

export function QuotaCard() {
  return <UsageCard query={useQuery(usageQueries.mine())} whose="只算你個人的，組織的在組織管理的設定。" />
}
