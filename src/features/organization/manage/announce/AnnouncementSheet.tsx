/* An announcement written: title, text, tags, for whom, when, and whether people are notified. */
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { ANNOUNCEMENT_TAGS, createAnnouncement, type ManagedAnnouncement } from '#contract/announcement.ts'
import { fieldMessages } from '#contract/field-messages.ts'
import { announcementMutations } from '#data/nouns/announcement.ts'
import { useData } from '#screen/data.tsx'
import { refusal } from '#screen/failure.ts'
import { useLeaveSheet } from '#screen/LeaveForm.tsx'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { TagsField } from '#ui/TagsField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { Fields } from '../Fields.tsx'
import { useOrganization } from '../use-place.ts'
import { BodyField } from './BodyField.tsx'
import { type AnnouncementChoices, choicesOf, faultsOf, fieldsOf } from './draft.ts'
import { Publishing } from './Publishing.tsx'

const AT = ['title', 'body', 'tags', 'publish_at', 'expire_at', 'group_ids', 'pinned']

/** `known` null writes a new one. */
export type AnnouncementSheetProps = { known: ManagedAnnouncement | null; onClose: () => void }

export function AnnouncementSheet({ known, onClose }: AnnouncementSheetProps) {
  const { id, ctx } = useOrganization()
  const sheet = useId()
  const data = useData()
  const [choices, setChoices] = useState<AnnouncementChoices>(() => choicesOf(known))
  const [touched, setTouched] = useState(false)
  const create = useMutation(announcementMutations.create(ctx))
  const update = useMutation(announcementMutations.update(ctx))
  const initial = { title: known?.title ?? '', body: known?.body ?? '' }
  const { values, errors, failure, busy, field, form } = useForm({
    initial,
    check: (typed) => ({
      ...fieldMessages(createAnnouncement.input, { id, ...typed, tags: choices.tags }),
      ...faultsOf(choices, data.now()),
    }),
    send: async (typed) => {
      const fields = { ...typed, ...fieldsOf(choices, known, data.now()) }
      const { state } = known
        ? await update.mutateAsync({ id, announcement_id: known.id, ...fields })
        : await create.mutateAsync({ id, ...fields })
      toast({ title: DONE[state], icon: 'check' })
      onClose()
    },
    refused: (error) => refusal(error, '內容都還在，', AT),
  })
  const change = (changes: Partial<AnnouncementChoices>) => {
    setTouched(true)
    setChoices((before) => ({ ...before, ...changes }))
  }
  const dirty = touched || values.title !== initial.title || values.body !== initial.body
  const { leave, question } = useLeaveSheet(dirty, onClose)
  const tags_error = Object.entries(errors).find(([name]) => name.startsWith('tags'))?.[1]
  return (
    <Sheet
      open
      tall
      onClose={leave}
      sticky={dirty}
      title={known ? '編輯公告' : '寫公告'}
      foot={
        <>
          <Button onClick={leave}>取消</Button>
          <Button kind="filled" type="submit" form={sheet} busy={busy}>
            {VERB[choices.when]}
          </Button>
        </>
      }
    >
      <form id={sheet} {...form}>
        <Fields>
          <TextField label="標題" maxLength={100} placeholder="例如：下週一休市" {...field('title')} />
          <BodyField {...field('body')} error={errors['body']} />
          <TagsField
            label="標籤（選填）"
            noun="標籤"
            name="tags"
            value={choices.tags}
            onChange={(tags) => change({ tags })}
            known={ANNOUNCEMENT_TAGS}
            placeholder="例如：重要"
            hint="最多 5 個，每個 12 字"
            error={tags_error ?? null}
          />
          <Publishing
            choices={choices}
            change={change}
            published={known?.state === 'published' || known?.state === 'expired'}
            errors={errors}
          />
          <Refused text={failure} />
        </Fields>
      </form>
      {question}
    </Sheet>
  )
}

const VERB = { now: '發布', later: '排程', draft: '存成草稿', as_is: '儲存' } as const
const DONE = {
  draft: '已存成草稿',
  scheduled: '已排程',
  published: '已發布',
  expired: '已儲存',
} as const
