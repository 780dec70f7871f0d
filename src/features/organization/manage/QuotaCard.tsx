/* What of the organization's room on the server is taken. */
import { useQuery } from '@tanstack/react-query'
import { usageQueries } from '#data/nouns/organization.ts'
import { UsageCard } from '#screen/UsageCard.tsx'
import { useOrganization } from './use-place.ts'

export function QuotaCard() {
  const { id, ctx } = useOrganization()
  return (
    <UsageCard
      query={useQuery(usageQueries.organization(ctx, id))}
      whose="這裡是組織的用量，上限與帶領組織的管理者合用。"
    />
  )
}
