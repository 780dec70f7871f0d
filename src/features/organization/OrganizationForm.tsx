/* Name, introduction and contact of the organization; only what was changed is sent. */

import { useMutation } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { AVATAR_PX } from '#contract/limits.ts'
import { type Organization, updateOrganization } from '#contract/organization.ts'
import { organizationMutations } from '#data/nouns/organization.ts'
import { useDirtyForm } from '#screen/dirty.ts'
import { refusal } from '#screen/failure.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { withoutBlanks } from '#trading/unseen.ts'
import { Button } from '#ui/Button.tsx'
import { ImageButton } from '#ui/FileButton.tsx'
import { shrink } from '#ui/shrink.ts'
import { Avatar } from '#ui/Tag.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { LeaveUnsent } from './Leave.tsx'
import css from './Parts.module.css'
import { Fields } from './Parts.tsx'
import { useOrganization } from './TabList.tsx'

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
  const stored = valuesOf(organization)
  const changedIn = (values: Values) => NAMES.filter((name) => values[name].trim() !== stored[name])
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
    initial: stored,
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

/* The picture of an organization that is not made yet: chosen and shown here, it travels with the form. */

export interface LogoFieldProps {
  /** Whose character stands there without a picture. */
  organization: string
  /** A `data:` address, empty for none. */
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

export function LogoField({ organization, value, onChange, error }: LogoFieldProps) {
  const id = useId()
  return (
    <fieldset className={css.LogoField} aria-describedby={error && id}>
      <legend className={css.LogoFieldLabel}>標誌（選填）</legend>
      <div className={css.LogoFieldPick}>
        <Avatar name={withoutBlanks(organization).trim() || '組'} src={value || null} size={64} />
        <div className={css.LogoFieldWords}>
          <div className={css.LogoFieldActions}>
            <ImageButton
              testId="new-logo-file"
              onFile={(file) =>
                void dataOf(file).then(onChange, () =>
                  toast({ title: '讀不到這張圖片，請再選一次', variant: 'destructive' }),
                )
              }
            >
              {value ? '更換標誌' : '選擇標誌'}
            </ImageButton>
            {value && (
              <Button size="s" kind="ghost" onClick={() => onChange('')}>
                移除
              </Button>
            )}
          </div>
          <small className="ink3">PNG、JPEG 或 WebP，會裁成正方形</small>
        </div>
      </div>
      {error && (
        <p id={id} className={css.LogoFieldError} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** What the server takes is small; what kind of picture it is it finds in the bytes. */
async function dataOf(file: File): Promise<string> {
  const bytes = await shrink(file, { max_px: AVATAR_PX, square: true })
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(new Blob([bytes], { type: 'image/webp' }))
  })
}
