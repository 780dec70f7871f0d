// /organizations/create: a new organization; its creator is its admin and goes on as such.

import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { createOrganization } from '#contract/organization.ts'
import { organizationMutations } from '#data/nouns/organization.ts'
import { useDirtyForm } from '#screen/dirty.ts'
import { refusal } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/open.ts'
import { PageHead } from '#ui/PageHead.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { useEnter } from './enter.ts'
import { LeaveUnsent } from './Leave.tsx'
import css from './MyOrganizationsPage.module.css'
import { LogoField } from './OrganizationForm.tsx'
import { CardActions, OrganizationPage } from './Parts.tsx'

const EMPTY = { name: '', introduction: '', contact_email: '', logo: '' }
const inputOf = (values: typeof EMPTY) => ({
  ...values,
  contact_email: values.contact_email.trim() || null,
  logo: values.logo || null,
})

export function OrganizationCreatePage() {
  const { open } = useGo()
  const enter = useEnter()
  const create = useMutation(organizationMutations.create())
  const [done, setDone] = useState(false)
  const { values, failure, busy, field, form } = useForm({
    initial: EMPTY,
    check: (typed) => fieldMessages(createOrganization.input, inputOf(typed)),
    send: async (typed) => {
      const made = await create.mutateAsync(inputOf(typed))
      asked.current = false
      setDone(true)
      const words = `已建立「${made.name}」`
      try {
        // the switch needs the profile to name it
        await enter.refresh()
        enter.open(made.id, '/organizations/manage', true, words)
      } catch {
        toast({ title: words, icon: 'check' })
        open('/my-organizations', true) // it is made; only the profile could not be fetched
      }
    },
    refused: (error) => refusal(error, '填好的內容都還在，', Object.keys(EMPTY)),
  })
  const dirty = !done && Object.values(values).some((value) => value.trim() !== '')
  useDirtyForm(dirty)
  const asked = useRef(false)
  asked.current = dirty
  return (
    <OrganizationPage narrow>
      <PageHead
        title="建立組織"
        back={{ href: '/my-organizations', label: '我的組織', onOpen: () => open('/my-organizations') }}
      />
      <form className={cx(css.OrganizationCreatePageForm, 'card')} {...form}>
        <TextField
          label="組織名稱"
          required
          maxLength={60}
          counter
          placeholder="例如：浪花訊號社"
          autoComplete="organization"
          {...field('name')}
        />
        <LogoField organization={values.name} {...field('logo')} />
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
        <Refused text={failure} />
        <p className="t13 ink3">
          你會是這個組織的管理者。建立後可以邀請成員、把策略放進群組，再決定誰看得到哪些策略。
        </p>
        <CardActions>
          <Button kind="filled" type="submit" busy={busy}>
            建立組織
          </Button>
          <Button kind="ghost" onClick={() => open('/my-organizations')}>
            取消
          </Button>
        </CardActions>
      </form>
      <LeaveUnsent armed={() => asked.current} />
    </OrganizationPage>
  )
}
