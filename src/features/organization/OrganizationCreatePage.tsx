// /organizations/create: a new organization; its creator is its admin and goes on as such.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { createOrganization } from '#contract/organization.ts'
import { organizationMutations } from '#data/organization.ts'
import { useDirtyForm } from '#features/shell/dirty.ts'
import { useGo } from '#features/shell/go.ts'
import { toast } from '#features/shell/toast.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { TextField } from '#ui/TextField.tsx'
import './organization.css'
import { fieldMessages } from './parts/check.ts'
import { useEnter } from './parts/enter.ts'
import { failureText, refusedFields } from './parts/failure.ts'
import { LeaveForm } from './parts/LeaveForm.tsx'

const EMPTY = { name: '', introduction: '', contact_email: '' }
type Name = keyof typeof EMPTY
const NAMES = Object.keys(EMPTY) as Name[]

export function OrganizationCreatePage() {
  const { open } = useGo()
  const enter = useEnter()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(EMPTY)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [done, setDone] = useState(false)
  const create = useMutation(organizationMutations.create())
  const dirty = !done && NAMES.some((name) => values[name].trim() !== '')
  useDirtyForm(dirty)
  const asked = useRef(false)
  asked.current = dirty

  function show(found: Record<string, string>) {
    setErrors(found)
    const first = NAMES.find((name) => found[name])
    if (first) form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
    return first !== undefined
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (create.isPending || done) return
    const input = {
      name: values.name,
      introduction: values.introduction,
      contact_email: values.contact_email.trim() || null,
    }
    setFailure(null)
    if (show(fieldMessages(createOrganization.input, input))) return
    try {
      const made = await create.mutateAsync(input)
      asked.current = false
      setDone(true)
      toast({ title: `已建立「${made.name}」`, icon: 'check' })
      // the switch needs the profile to name it
      await enter.refresh()
      enter.open(made.id, '/organizations/manage', true)
    } catch (error) {
      if (asked.current) {
        if (!show(refusedFields(error))) setFailure(failureText(error, '填好的內容都還在，'))
      } else open('/my-organizations', true) // it is made; only the profile could not be fetched
    }
  }
  const field = (name: Name) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: (value: string) => {
      setValues((before) => ({ ...before, [name]: value }))
      setErrors(({ [name]: _gone, ...rest }) => rest)
    },
    onBlur: () => {
      if (values[name].trim() === '') return
      const found = fieldMessages(createOrganization.input, {
        ...values,
        contact_email: values.contact_email.trim() || null,
      })[name]
      if (found) setErrors((before) => ({ ...before, [name]: found }))
    },
  })
  return (
    <div className="page og-narrow">
      <PageHead
        title="建立組織"
        back={{ href: '/my-organizations', label: '我的組織', onOpen: () => open('/my-organizations') }}
      />
      <form ref={form} className="card og-card og-form" onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label="組織名稱"
          required
          maxLength={60}
          counter
          placeholder="例如：浪花訊號社"
          autoComplete="organization"
          {...field('name')}
        />
        <TextField
          label="簡介（選填）"
          rows={4}
          maxLength={500}
          counter
          placeholder="給收到邀請的人看：你們做什麼，成員會看到什麼。"
          {...field('introduction')}
        />
        <TextField
          label="聯絡信箱（選填）"
          type="email"
          inputMode="email"
          autoComplete="email"
          placeholder="name@example.com"
          hint="成員在組織詳情看得到。"
          {...field('contact_email')}
        />
        {failure && (
          <Banner tone="danger" icon="warning" urgent>
            {failure}
          </Banner>
        )}
        <p className="t13 ink3">
          你會是這個組織的管理者。建立後可以邀請成員、把策略放進群組，再決定誰看得到哪些策略。
        </p>
        <div className="og-keys">
          <Button kind="filled" type="submit" busy={create.isPending || done}>
            建立組織
          </Button>
          <Button kind="ghost" onClick={() => open('/my-organizations')}>
            取消
          </Button>
        </div>
      </form>
      <LeaveForm armed={() => asked.current} />
    </div>
  )
}
