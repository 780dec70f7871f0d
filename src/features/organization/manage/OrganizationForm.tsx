/* Name, introduction and contact of the organization; only what was changed is sent. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { type Organization, updateOrganization } from '#contract/organization.ts'
import { organizationMutations } from '#data/organization.ts'
import { useDirtyForm } from '#features/shell/dirty.ts'
import { toast } from '#features/shell/toast.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { TextField } from '#ui/TextField.tsx'
import { fieldMessages } from '../parts/check.ts'
import { failureText, refusedFields } from '../parts/failure.ts'
import { LeaveForm } from '../parts/LeaveForm.tsx'
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
  const form = useRef<HTMLFormElement>(null)
  const [edited, setEdited] = useState<Partial<Values>>({})
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const update = useMutation(organizationMutations.update(ctx))
  const known = valuesOf(organization)
  const values = { ...known, ...edited }
  const changed = NAMES.filter((name) => values[name].trim() !== known[name])
  const dirty = changed.length > 0
  useDirtyForm(dirty)
  const armed = useRef(false)
  armed.current = dirty
  function show(found: Record<string, string>) {
    setErrors(found)
    const first = NAMES.find((name) => found[name])
    if (first) form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
    return first !== undefined
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    setFailure(null)
    if (update.isPending || !dirty) return
    const input = {
      id: organization.id,
      ...Object.fromEntries(
        changed.map((name) => [
          name,
          name === 'contact_email' ? values.contact_email.trim() || null : values[name],
        ]),
      ),
    }
    if (show(fieldMessages(updateOrganization.input, input))) return
    update.mutate(input, {
      onSuccess: () => {
        setEdited({})
        toast({ title: '組織資料已更新', icon: 'check' })
      },
      onError: (error) => {
        if (!show(refusedFields(error))) setFailure(failureText(error, '修改的內容都還在，'))
      },
    })
  }
  const field = (name: keyof Values) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: (value: string) => {
      setEdited((before) => ({ ...before, [name]: value }))
      setErrors(({ [name]: _gone, ...rest }) => rest)
    },
  })
  return (
    <form ref={form} className="og-fields" onSubmit={submit} noValidate>
      <TextField label="組織名稱" maxLength={60} counter {...field('name')} />
      <TextField label="簡介" rows={4} maxLength={500} counter {...field('introduction')} />
      <TextField
        label="聯絡信箱"
        type="email"
        inputMode="email"
        hint="成員在組織詳情看得到；留空就不顯示。"
        {...field('contact_email')}
      />
      {failure && (
        <Banner tone="danger" icon="warning" urgent>
          {failure}
        </Banner>
      )}
      <div className="og-keys">
        <Button kind="filled" type="submit" disabled={!dirty} busy={update.isPending}>
          儲存
        </Button>
        {dirty && (
          <Button
            kind="ghost"
            onClick={() => {
              setEdited({})
              setErrors({})
            }}
          >
            還原
          </Button>
        )}
      </div>
      <LeaveForm armed={() => armed.current} tabs />
    </form>
  )
}
