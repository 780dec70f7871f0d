/* A group's name and description: a new one, or another for one that is there. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { createGroup, type StrategyGroup } from '#contract/group.ts'
import { groupMutations } from '#data/group.ts'
import { toast } from '#features/shell/toast.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { TextField } from '#ui/TextField.tsx'
import { fieldMessages } from '../parts/check.ts'
import { failureText, refusedFields } from '../parts/failure.ts'
import { useOrganization } from './use-place.ts'

/** `group` null makes a new one and hands its id to `onMade`. */
export type GroupDialogProps = {
  group: Pick<StrategyGroup, 'id' | 'name' | 'description'> | null
  onClose: () => void
  onMade?: (id: string) => void
}

export function GroupDialog({ group, onClose, onMade }: GroupDialogProps) {
  const { ctx } = useOrganization()
  const form = useId()
  const [values, setValues] = useState({
    name: group?.name ?? '',
    description: group?.description ?? '',
  })
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const create = useMutation(groupMutations.create(ctx))
  const update = useMutation(groupMutations.update(ctx))
  const busy = create.isPending || update.isPending
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const found = fieldMessages(createGroup.input, values)
    setErrors(found)
    setFailure(null)
    if (Object.keys(found).length > 0) return
    try {
      const saved = group
        ? await update.mutateAsync({ id: group.id, ...values })
        : await create.mutateAsync(values)
      toast({ title: group ? '群組已更新' : `已建立「${values.name.trim()}」`, icon: 'check' })
      onClose()
      if (!group) onMade?.((saved as StrategyGroup).id)
    } catch (error) {
      const refused = refusedFields(error)
      setErrors(refused)
      if (Object.keys(refused).length === 0) setFailure(failureText(error, '內容都還在，'))
    }
  }
  const field = (name: keyof typeof values) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: (value: string) => {
      setValues((before) => ({ ...before, [name]: value }))
      setErrors(({ [name]: _gone, ...rest }) => rest)
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      sticky={values.name !== (group?.name ?? '') || values.description !== (group?.description ?? '')}
      title={group ? '更改群組' : '建立策略群組'}
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form={form} busy={busy}>
            {group ? '儲存' : '建立群組'}
          </Button>
        </>
      }
    >
      <form id={form} className="og-fields" onSubmit={(event) => void submit(event)} noValidate>
        <TextField label="群組名稱" maxLength={60} placeholder="例如：台指班" {...field('name')} />
        <TextField label="說明（選填）" rows={2} maxLength={200} counter {...field('description')} />
        {failure && (
          <Banner tone="danger" icon="warning" urgent>
            {failure}
          </Banner>
        )}
      </form>
    </Dialog>
  )
}
