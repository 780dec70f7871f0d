/* 複製群組: what the copy is called, and what it takes along. */
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { copyGroup, type StrategyGroup } from '#contract/group.ts'
import { groupMutations } from '#data/nouns/group.ts'
import { refusal } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { number } from '#text/format.ts'
import { copyName, NAME_MOST } from '#text/strategy.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { Fields } from './Fields.tsx'
import { useOrganization, usePlace } from './use-place.ts'

export type CopyGroupProps = {
  group: Pick<StrategyGroup, 'id' | 'name' | 'member_count' | 'strategy_count'>
  onClose: () => void
}

export function CopyGroup({ group, onClose }: CopyGroupProps) {
  const { ctx } = useOrganization()
  const { go } = usePlace()
  const id = useId()
  const { mutateAsync } = useMutation(groupMutations.copy(ctx))
  const initial = { name: copyName(group.name) }
  const { values, failure, busy, field, form } = useForm({
    initial,
    check: ({ name }) => fieldMessages(copyGroup.input, { id: group.id, name }),
    send: async ({ name }) => {
      const made = await mutateAsync({ id: group.id, name })
      toast({ title: `已建立「${made.name}」`, icon: 'check' })
      onClose()
      go({ tab: 'groups', id: made.id })
    },
    refused: (error) => refusal(error, '沒有複製，', ['name']),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      sticky={values.name !== initial.name}
      title={`複製「${group.name}」`}
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form={id} busy={busy}>
            複製群組
          </Button>
        </>
      }
    >
      <p>
        {number(group.member_count)} 位成員、{number(group.strategy_count)}{' '}
        個策略與各自的期間一起複製，已結束的不帶；成員立刻也在新的群組裡。
      </p>
      <form id={id} {...form}>
        <Fields>
          <TextField label="新群組的名稱" maxLength={NAME_MOST} autoComplete="off" {...field('name')} />
          <Refused text={failure} />
        </Fields>
      </form>
    </Dialog>
  )
}
