/* 預設成員天數: how long a membership lasts when no last day was said. */
import { useMutation } from '@tanstack/react-query'
import type { Organization } from '#contract/organization.ts'
import { organizationMutations } from '#data/nouns/organization.ts'
import { refusal } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { useForm } from '#ui/use-form.ts'
import { Fields } from '../Fields.tsx'
import { useOrganization } from '../use-place.ts'

export function DefaultDays({ organization }: { organization: Organization }) {
  const { id, ctx } = useOrganization()
  const update = useMutation(organizationMutations.update(ctx))
  const known = organization.default_member_days ? String(organization.default_member_days) : ''
  const { values, failure, busy, field, form } = useForm({
    initial: { default_member_days: known },
    check: ({ default_member_days: typed }): Record<string, string> => {
      const days = Number(typed)
      return typed === '' || (Number.isInteger(days) && days >= 1 && days <= 3650)
        ? {}
        : { default_member_days: '請輸入 1 到 3,650 的整數，或留空' }
    },
    send: async ({ default_member_days: typed }, reset) => {
      await update.mutateAsync({ id, default_member_days: typed === '' ? null : Number(typed) })
      reset()
      toast({ title: '預設成員天數已更新', icon: 'check' })
    },
    refused: (error) => refusal(error, '沒有任何變更，', ['default_member_days']),
  })
  return (
    <form {...form}>
      <Fields close>
        <NumberField
          label="預設成員天數"
          integer
          unit="天"
          hint="用加入碼或沒有寫到期日的連結加入時，從加入那天起算；留空就沒有期限"
          {...field('default_member_days')}
        />
        <Refused text={failure} />
        {values.default_member_days !== known && (
          <div>
            <Button size="s" kind="filled" type="submit" busy={busy}>
              儲存天數
            </Button>
          </div>
        )}
      </Fields>
    </form>
  )
}
