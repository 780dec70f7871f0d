/* share_statistics: whether members see figures over the whole record or from their own first day (ruling A11). */
import { useMutation } from '@tanstack/react-query'
import type { Organization } from '#contract/organization.ts'
import { organizationMutations } from '#data/nouns/organization.ts'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { Switch } from '#ui/Switch.tsx'
import { useOrganization } from './use-place.ts'

export function ShareSwitch({ organization }: { organization: Organization }) {
  const { ctx } = useOrganization()
  const update = useMutation(organizationMutations.update(ctx))
  const on = update.isPending ? update.variables.share_statistics === true : organization.share_statistics
  return (
    <Switch
      label="分享完整績效"
      note={
        on
          ? '成員看得到策略從頭到現在的損益、曲線與月表；交易明細仍只從各自的起日開始。'
          : '成員的損益與曲線只從各自看得到的第一天算起。'
      }
      checked={on}
      disabled={update.isPending}
      onChange={(share_statistics) =>
        update.mutate(
          { id: organization.id, share_statistics },
          {
            onSuccess: () =>
              toast({
                title: share_statistics ? '已分享完整績效' : '績效改從各自看得到的第一天算起',
                icon: 'check',
              }),
            onError: (error) =>
              toast({
                title: '設定沒有變更',
                description: failureSentence(error),
                variant: 'destructive',
              }),
          },
        )
      }
    />
  )
}
