/* Role and period of one member. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { Member } from '#contract/membership.ts'
import type { Role } from '#contract/permissions.ts'
import { membershipMutations } from '#data/membership.ts'
import { useDirtyForm } from '#features/shell/dirty.ts'
import { toast } from '#features/shell/toast.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { codeOf, failureText, refusedFields } from '../parts/failure.ts'
import { usePeople } from '../parts/people.ts'
import { PeriodFields, periodErrors } from './PeriodFields.tsx'
import { RoleField } from './RoleField.tsx'
import { useOrganization } from './use-place.ts'

export function MemberSheet({ member, onClose }: { member: Member; onClose: () => void }) {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const form = useId()
  const [role, setRole] = useState<Role>(member.role)
  const [days, setDays] = useState({ starts_on: member.starts_on, ends_on: member.expires_on ?? '' })
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const update = useMutation(membershipMutations.update(ctx))
  const name = cover(member.name)
  const changes = {
    ...(role !== member.role && { role }),
    ...(days.starts_on !== member.starts_on && { starts_on: days.starts_on }),
    ...(days.ends_on !== (member.expires_on ?? '') && { expires_on: days.ends_on || null }),
  }
  const dirty = Object.keys(changes).length > 0
  useDirtyForm(dirty)
  function submit(event: FormEvent) {
    event.preventDefault()
    const found = periodErrors(days)
    setErrors(found)
    setFailure(null)
    if (Object.keys(found).length > 0 || update.isPending) return
    if (!dirty) return onClose()
    update.mutate(
      { id, user_id: member.user_id, ...changes },
      {
        onSuccess: () => {
          toast({ title: `已更新 ${name}`, icon: 'check' })
          onClose()
        },
        onError: (error) => {
          setErrors(refusedFields(error))
          setFailure(
            codeOf(error) === 4093
              ? '組織至少要有一位沒有期限的管理者。先把另一位成員設為管理者，再改這一位。'
              : failureText(error, '沒有任何變更，'),
          )
        },
      },
    )
  }
  return (
    <Sheet
      open
      onClose={onClose}
      sticky={dirty}
      title="編輯成員"
      subtitle={`${name} · ${cover(member.email)}`}
      foot={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form={form} busy={update.isPending}>
            儲存
          </Button>
        </>
      }
    >
      <form id={form} className="og-fields" onSubmit={submit} noValidate>
        <RoleField role={role} onChange={setRole} />
        <PeriodFields days={days} onChange={setDays} errors={errors} known={member.expires_on} />
        {failure && (
          <Banner tone="danger" icon="warning" urgent>
            {failure}
          </Banner>
        )}
      </form>
    </Sheet>
  )
}
