/* A group's name and description: a new one, or another for one that is there. */

import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { createGroup, type StrategyGroup } from '#contract/group.ts'
import { groupMutations } from '#data/nouns/group.ts'
import { refusal } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { Fields } from './Fields.tsx'
import { useOrganization } from './use-place.ts'

/** `group` null makes a new one and hands its id to `onMade`. */
export type GroupDialogProps = {
  group: Pick<StrategyGroup, 'id' | 'name' | 'description'> | null
  onClose: () => void
  onMade?: (id: string) => void
}

export function GroupDialog({ group, onClose, onMade }: GroupDialogProps) {
  const { ctx } = useOrganization()
  const id = useId()
  const create = useMutation(groupMutations.create(ctx))
  const update = useMutation(groupMutations.update(ctx))
  const initial = { name: group?.name ?? '', description: group?.description ?? '' }
  const { values, failure, busy, field, form } = useForm({
    initial,
    check: (typed) => fieldMessages(createGroup.input, typed),
    send: async (typed) => {
      const made = group
        ? await update.mutateAsync({ id: group.id, ...typed })
        : await create.mutateAsync(typed)
      toast({ title: group ? '群組已更新' : `已建立「${typed.name.trim()}」`, icon: 'check' })
      onClose()
      if (!group) onMade?.(made.id)
    },
    refused: (error) => refusal(error, '內容都還在，', ['name', 'description']),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      sticky={values.name !== initial.name || values.description !== initial.description}
      title={group ? '更改群組' : '建立策略群組'}
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form={id} busy={busy}>
            {group ? '儲存' : '建立群組'}
          </Button>
        </>
      }
    >
      <form id={id} {...form}>
        <Fields>
          <TextField label="群組名稱" maxLength={60} placeholder="例如：台指班" {...field('name')} />
          <TextField label="說明（選填）" rows={2} maxLength={200} counter {...field('description')} />
          <Refused text={failure} />
        </Fields>
      </form>
    </Dialog>
  )
}
