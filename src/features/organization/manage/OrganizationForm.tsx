/* Name, introduction and contact of the organization; only what was changed is sent. */

import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { type Organization, updateOrganization } from '#contract/organization.ts'
import { organizationMutations } from '#data/nouns/organization.ts'
import { useDirtyForm } from '#screen/dirty.ts'
import { refusal } from '#screen/failure.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { LeaveUnsent } from '../parts/LeaveUnsent.tsx'
import { Fields } from './Fields.tsx'
import { useOrganization } from './use-place.ts'

type Values = { name: string; introduction: string; contact_email: string }
const NAMES = ['name', 'introduction', 'contact_email'] as const
const valuesOf = (one: Organization): Values => ({
  name: one.name,
  introduction: one.introduction,
  contact_email: one.contact_email ?? '',
})

export function OrganizationForm({ organization }: { organization: Organization }) {
  const { ctx } = useOrganization()
  const update = useMutation(organizationMutations.update(ctx))
  const known = valuesOf(organization)
  const changedIn = (values: Values) => NAMES.filter((name) => values[name].trim() !== known[name])
  const inputOf = (values: Values) => ({
    id: organization.id,
    ...Object.fromEntries(
      changedIn(values).map((name) => [
        name,
        name === 'contact_email' ? values.contact_email.trim() || null : values[name],
      ]),
    ),
  })
  const { values, failure, busy, field, form, reset } = useForm({
    initial: known,
    check: (typed) => fieldMessages(updateOrganization.input, inputOf(typed)),
    send: async (typed, again) => {
      await update.mutateAsync(inputOf(typed))
      again()
      toast({ title: '組織資料已更新', icon: 'check' })
    },
    refused: (error) => refusal(error, '修改的內容都還在，', NAMES),
  })
  const dirty = changedIn(values).length > 0
  useDirtyForm(dirty)
  const armed = useRef(false)
  armed.current = dirty
  const cover = usePrivacy().on || undefined
  return (
    <form {...form}>
      <Fields>
        <div data-private={cover}>
          <TextField label="組織名稱" maxLength={60} counter {...field('name')} />
        </div>
        <TextField label="簡介" rows={4} maxLength={500} counter {...field('introduction')} />
        <div data-private={cover}>
          <TextField
            label="聯絡信箱"
            type="email"
            inputMode="email"
            hint="成員在組織詳情看得到；留空就不顯示。"
            {...field('contact_email')}
          />
        </div>
        <Refused text={failure} />
        <div className="row gap8">
          <Button kind="filled" type="submit" disabled={!dirty} busy={busy}>
            儲存
          </Button>
          {dirty && (
            <Button kind="ghost" onClick={reset}>
              還原
            </Button>
          )}
        </div>
        <LeaveUnsent armed={() => armed.current} tabs />
      </Fields>
    </form>
  )
}
