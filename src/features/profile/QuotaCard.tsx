// What of the person's own room on the server is taken.
import { useQuery } from '@tanstack/react-query'
import { usageQueries } from '#data/nouns/organization.ts'
import { UsageCard } from '#screen/UsageCard.tsx'

export function QuotaCard() {
  return <UsageCard account query={useQuery(usageQueries.mine())} whose="你個人與你帶領的組織合計。" />
}
