/* Role and period of one member. */

import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Member } from '#contract/membership.ts'
import type { Role } from '#contract/permissions.ts'
import { membershipMutations } from '#data/nouns/organization.ts'
import { useDirtyForm } from '#screen/dirty.ts'
import { codeOf, failureSentence, refusedFields } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { useForm } from '#ui/use-form.ts'
import { usePeople } from '../parts/people.ts'
import { EndQuestion } from './EndQuestion.tsx'
import { Fields } from './Fields.tsx'
import { type Days, PeriodFields, periodErrors } from './PeriodFields.tsx'
import { RoleField } from './RoleField.tsx'
import { useEnding } from './use-ending.ts'
import { useOrganization } from './use-place.ts'

const SOLE = '組織至少要有一位沒有期限的管理者。先把另一位成員設為管理者，再改這一位。'

export function MemberSheet({ member, onClose }: { member: Member; onClose: () => void }) {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const sheet = useId()
  const [role, setRole] = useState<Role>(member.role)
  const update = useMutation(membershipMutations.update(ctx))
  const name = cover(member.name)
  const changesOf = (days: Days) => ({
    ...(role !== member.role && { role }),
    ...(days.starts_on !== member.starts_on && { starts_on: days.starts_on }),
    ...(days.ends_on !== (member.expires_on ?? '') && { expires_on: days.ends_on || null }),
  })
  const isChanged = (days: Days) => Object.keys(changesOf(days)).length > 0
  const { values, errors, failure, busy, change, form } = useForm({
    initial: { starts_on: member.starts_on, ends_on: member.expires_on ?? '' },
    check: periodErrors,
    send: async (days) => {
      if (isChanged(days)) {
        await update.mutateAsync({ id, user_id: member.user_id, ...changesOf(days) })
        toast({ title: `已更新 ${name}`, icon: 'check' })
      }
      onClose()
    },
    refused: (error) => ({
      fields: refusedFields(error) ?? {},
      text: codeOf(error) === 4093 ? SOLE : failureSentence(error, '沒有任何變更，'),
    }),
  })
  const dirty = isChanged(values)
  useDirtyForm(dirty)
  const before = { starts_on: member.starts_on, ends_on: member.expires_on }
  const { onSubmit, question } = useEnding(before, values, form.onSubmit)
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
          <Button kind="filled" type="submit" form={sheet} busy={busy}>
            儲存
          </Button>
        </>
      }
    >
      <form id={sheet} {...form} onSubmit={onSubmit}>
        <Fields>
          <RoleField role={role} onChange={setRole} />
          <PeriodFields days={values} onChange={change} errors={errors} known={member.expires_on} />
          <Refused text={failure} />
        </Fields>
      </form>
      {question && (
        <EndQuestion
          {...question}
          title={`立刻結束「${name}」的成員資格？`}
          icon="logout"
          mutation={membershipMutations.update(ctx)}
          input={{ id, user_id: member.user_id, ...changesOf(values) }}
          done={{ title: `${name} 的成員資格已結束` }}
          sole_admin={SOLE}
          onDone={onClose}
          ends="儲存後立刻看不到組織的策略、訊號與通知，裝置上的副本也會刪除。名字留在成員名單，隨時可以再改期間。"
        />
      )}
    </Sheet>
  )
}
