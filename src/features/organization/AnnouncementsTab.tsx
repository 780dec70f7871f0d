/* 公告: what the organization announced, drafts and what is scheduled among it; how many have read each. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, lazy, Suspense, useId, useRef, useState } from 'react'
import {
  ANNOUNCEMENT_STATES,
  ANNOUNCEMENT_TAGS,
  type AnnouncementState,
  createAnnouncement,
  type ManagedAnnouncement,
} from '#contract/announcement.ts'
import { fieldMessages } from '#contract/field-messages.ts'
import { ANNOUNCEMENT_BODY } from '#contract/limits.ts'
import { announcementMutations, announcementQueries } from '#data/nouns/announcement.ts'
import { Ask } from '#screen/Ask.tsx'
import { useNow } from '#screen/browser.ts'
import { useData } from '#screen/data.tsx'
import { refusal } from '#screen/failure.ts'
import { useLeaveSheet } from '#screen/LeaveForm.tsx'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { number } from '#text/format.ts'
import { taipei, when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Counted, described, Field, Hint, InputBox } from '#ui/Field.tsx'
import type { IconName } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { BY_KEYBOARD, EDITS, edited, type FormatKey, FormatToolbar } from '#ui/markdown/FormatToolbar.tsx'
import { Segments, SegmentsField } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Switch } from '#ui/Switch.tsx'
import { Tag, type TagTone } from '#ui/Tag.tsx'
import { TagsField } from '#ui/TagsField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { GroupChecks } from './MemberFields.tsx'
import css from './OrganizationManagePage.module.css'
import { Bar, Fields, ListRow, RowActions, TwoLines } from './Parts.tsx'
import { NothingOf, PAGE, StateChips, TabList, useOrganization, usePlace, useStatus } from './TabList.tsx'

export function AnnouncementsTab() {
  const { id, ctx } = useOrganization()
  const { page } = usePlace()
  const now = useNow()
  const [editing, setEditing] = useState<ManagedAnnouncement | 'new' | null>(null)
  const [removing, setRemoving] = useState<ManagedAnnouncement | null>(null)
  const state = useStatus(ANNOUNCEMENT_STATES)
  const list = useQuery(
    announcementQueries.managed(ctx, id, { page, page_size: PAGE, ...(state && { state }) }),
  )
  const none = state === undefined && list.data?.total === 0
  const write = (
    <Button kind="filled" icon="plus" onClick={() => setEditing('new')}>
      寫公告
    </Button>
  )
  return (
    <>
      {!none && (
        <Bar chips={<StateChips states={ANNOUNCEMENT_STATES} words={STATE_WORDS} />} action={write} />
      )}
      <TabList
        query={list}
        title="讀不到公告"
        counter="則"
        empty={
          none ? (
            <EmptyState card title="還沒有公告" action={write}>
              公告出現在成員的首頁與「公告」，也可以發送通知；可以先存草稿，或排定發布的時間。
            </EmptyState>
          ) : (
            state && <NothingOf state={STATE_WORDS[state].text} what="公告" />
          )
        }
      >
        {(items) => (
          <ul className="card flush">
            {items.map((item) => (
              <ManagedRow
                key={item.id}
                item={item}
                now={now}
                onEdit={() => setEditing(item)}
                onRemove={() => setRemoving(item)}
              />
            ))}
          </ul>
        )}
      </TabList>
      {editing && (
        <AnnouncementSheet
          announcement={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <Ask
          title={`刪除「${removing.title}」`}
          verb="刪除公告"
          mutation={announcementMutations.remove(ctx)}
          input={{ id, announcement_id: removing.id }}
          done={{ title: '公告已刪除' }}
          safe="公告還在，"
          onClose={() => setRemoving(null)}
        >
          <p>
            {removing.state === 'published'
              ? '成員的清單、首頁與通知裡也會一起消失，無法復原。'
              : '無法復原。'}
          </p>
        </Ask>
      )}
    </>
  )
}

/* One announcement as its admins see it: state, time, for whom, how many have read it. */

export const STATE_WORDS: Record<AnnouncementState, { text: string; tone: TagTone; icon: IconName }> = {
  draft: { text: '草稿', tone: 'line', icon: 'edit' },
  scheduled: { text: '排程', tone: 'info', icon: 'clock' },
  published: { text: '已發布', tone: 'good', icon: 'check' },
  expired: { text: '已過期', tone: 'neutral', icon: 'clock' },
}

export type ManagedRowProps = {
  item: ManagedAnnouncement
  now: string
  onEdit: () => void
  onRemove: () => void
}

export function ManagedRow({ item, now, onEdit, onRemove }: ManagedRowProps) {
  const { id, title, state, pinned, tags, group_ids, publish_at, reads_count, audience_count } = item
  const menu = `og-announcement-${id}`
  const word = STATE_WORDS[state]
  const out = state === 'published' || state === 'expired'
  const about = [
    pinned && '置頂',
    group_ids.length > 0 ? `${number(group_ids.length)} 個群組` : '所有成員',
    publish_at && (out ? when(publish_at, now) : `將於 ${when(publish_at, now)} 發布`),
    out && `${number(reads_count)} / ${number(audience_count)} 人已讀`,
    ...tags,
  ].filter(Boolean)
  return (
    <ListRow wraps>
      <TwoLines className="sp">
        <b className="el" title={title}>
          {title}
        </b>
        <small className="num">{about.join(' · ')}</small>
      </TwoLines>
      <Tag tone={word.tone} icon={word.icon}>
        {word.text}
      </Tag>
      <RowActions>
        <IconButton icon="edit" label={`編輯「${title}」`} onClick={onEdit} />
        <IconButton icon="more" label={`${title}：更多`} opensId={menu} />
      </RowActions>
      <Menu
        id={menu}
        label={`${title}：更多`}
        items={[{ label: '刪除公告', icon: 'trash', danger: true, onPick: onRemove }]}
      />
    </ListRow>
  )
}

/* An announcement written: title, text, tags, for whom, when, and whether people are notified. */

const AT = ['title', 'body', 'tags', 'publish_at', 'expire_at', 'group_ids', 'pinned']

/** `announcement` null writes a new one. */
export type AnnouncementSheetProps = { announcement: ManagedAnnouncement | null; onClose: () => void }

export function AnnouncementSheet({ announcement, onClose }: AnnouncementSheetProps) {
  const { id, ctx } = useOrganization()
  const sheet = useId()
  const data = useData()
  const [choices, setChoices] = useState<AnnouncementChoices>(() => choicesOf(announcement))
  const [touched, setTouched] = useState(false)
  const create = useMutation(announcementMutations.create(ctx))
  const update = useMutation(announcementMutations.update(ctx))
  const initial = { title: announcement?.title ?? '', body: announcement?.body ?? '' }
  const { values, errors, failure, busy, field, form } = useForm({
    initial,
    check: (typed) => ({
      ...fieldMessages(createAnnouncement.input, { id, ...typed, tags: choices.tags }),
      ...faultsOf(choices, data.now()),
    }),
    send: async (typed) => {
      const fields = { ...typed, ...fieldsOf(choices, announcement, data.now()) }
      const { state } = announcement
        ? await update.mutateAsync({ id, announcement_id: announcement.id, ...fields })
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
      title={announcement ? '編輯公告' : '寫公告'}
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
            published={announcement?.state === 'published' || announcement?.state === 'expired'}
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

/* The text of an announcement while it is written: Markdown with its keys, and a preview. */

// who only writes does not need the reader
const Markdown = lazy(() =>
  import('#ui/markdown/Markdown.tsx').then(({ Markdown }) => ({ default: Markdown })),
)

export type BodyFieldProps = {
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  error: string | undefined
}

const VIEWS = [
  { value: 'write', label: '撰寫' },
  { value: 'read', label: '預覽' },
] as const

export function BodyField({ value, onChange, onBlur, error }: BodyFieldProps) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [view, setView] = useState<'write' | 'read'>('write')
  const applyFormat = (key: FormatKey) => {
    const box = area.current as HTMLTextAreaElement
    const edit = EDITS[key](value, box.selectionStart, box.selectionEnd)
    const next = edited(value, edit)
    if (next.length > ANNOUNCEMENT_BODY) return
    box.focus()
    box.setSelectionRange(edit.from, edit.to)
    // as if it were typed, so that 復原 takes it back
    if (!document.execCommand('insertText', false, edit.text)) onChange(next)
    box.setSelectionRange(...edit.select)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const key = BY_KEYBOARD[event.key.toLowerCase()]
    if (!key || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    applyFormat(key)
  }
  const hint = <Counted hint="" used={number(value.length)} max={number(ANNOUNCEMENT_BODY)} />
  return (
    <Field
      id={id}
      label="內容"
      hint={hint}
      error={error}
      action={<Segments label="內容" value={view} onChange={setView} options={VIEWS} />}
    >
      {view === 'read' ? (
        <section className={css.BodyFieldRead} aria-label="內容預覽">
          <Suspense fallback={<Skeleton type="list" inside label="預覽載入中" />}>
            {value.trim() ? <Markdown text={value} /> : <p className="ink3">還沒有寫內容。</p>}
          </Suspense>
        </section>
      ) : (
        <div>
          <FormatToolbar label="內容" onKey={applyFormat} />
          <InputBox tall error={Boolean(error)}>
            <textarea
              ref={area}
              {...described(id, { hint, error })}
              name="body"
              value={value}
              rows={8}
              maxLength={ANNOUNCEMENT_BODY}
              placeholder={'下週一休市，週二照常\n## 結算\n- **週三** 結算'}
              onChange={(event) => onChange(event.target.value)}
              onBlur={onBlur}
              onKeyDown={onKeyDown}
            />
          </InputBox>
        </div>
      )}
    </Field>
  )
}

/* For whom an announcement is, when it appears and ends, whether it stays on top and is told. */

/** `published`: it is out already. */
export type PublishingProps = {
  choices: AnnouncementChoices
  change: (changes: Partial<AnnouncementChoices>) => void
  published: boolean
  errors: Record<string, string>
}

const NEW: readonly { value: PublishWhen; label: string }[] = [
  { value: 'now', label: '現在' },
  { value: 'later', label: '排程' },
  { value: 'draft', label: '草稿' },
]
const OUT: readonly { value: PublishWhen; label: string }[] = [
  { value: 'as_is', label: '維持發布' },
  { value: 'draft', label: '收回成草稿' },
]

export function Publishing({ choices, change, published, errors }: PublishingProps) {
  const { when, for_groups, group_ids } = choices
  const group_error = errors['group_ids'] ?? errors['group_ids.0']
  return (
    <>
      <SegmentsField
        label="給誰看"
        value={for_groups ? 'groups' : 'all'}
        onChange={(value) => change({ for_groups: value === 'groups' })}
        options={[
          { value: 'all', label: '所有成員' },
          { value: 'groups', label: '選定的群組' },
        ]}
        error={group_error}
      />
      {for_groups && (
        <GroupChecks
          what="announcement"
          chosen={group_ids}
          onChange={(chosen) => change({ group_ids: chosen })}
        />
      )}
      <SegmentsField
        label="發布"
        value={when}
        onChange={(value) => change({ when: value })}
        options={published ? OUT : NEW}
      />
      {when === 'later' && (
        <TextField
          label="發布時間（台北）"
          type="datetime-local"
          value={choices.publish_at}
          onChange={(publish_at) => change({ publish_at })}
          error={errors['publish_at'] ?? null}
        />
      )}
      <TextField
        label="過期時間（台北，選填）"
        type="datetime-local"
        value={choices.expire_at}
        onChange={(expire_at) => change({ expire_at })}
        hint="到時候成員就看不到"
        error={errors['expire_at'] ?? null}
      />
      <div>
        <Switch
          label="置頂"
          note="排在清單最上面，最多 3 則"
          checked={choices.pinned}
          onChange={(pinned) => change({ pinned })}
        />
        {errors['pinned'] && (
          <Hint error role="alert">
            {errors['pinned']}
          </Hint>
        )}
        <Switch
          label="發送通知"
          note={published ? '發布時決定；改內容不會再通知一次' : '發布時通知看得到的人，每個人一次'}
          checked={choices.notify}
          disabled={published}
          onChange={(notify) => change({ notify })}
        />
      </div>
    </>
  )
}

// What the form of an announcement holds, and the call it becomes.

/** 現在 · 排程 · 草稿; `as_is`: of one that is published already. */
export type PublishWhen = 'now' | 'later' | 'draft' | 'as_is'

export interface AnnouncementChoices {
  readonly tags: readonly string[]
  readonly pinned: boolean
  readonly notify: boolean
  readonly when: PublishWhen
  /** Wall clock of Taipei, `YYYY-MM-DDTHH:mm`; '' = none. */
  readonly publish_at: string
  readonly expire_at: string
  readonly for_groups: boolean
  readonly group_ids: readonly string[]
}

export function choicesOf(one: ManagedAnnouncement | null): AnnouncementChoices {
  return {
    tags: one?.tags ?? [],
    pinned: one?.pinned ?? false,
    notify: one?.notify ?? true,
    when: one === null ? 'now' : WHEN[one.state],
    publish_at: one?.state === 'scheduled' && one.publish_at ? wall(one.publish_at) : '',
    expire_at: one?.expire_at ? wall(one.expire_at) : '',
    for_groups: (one?.group_ids.length ?? 0) > 0,
    group_ids: one?.group_ids ?? [],
  }
}
const WHEN = { draft: 'draft', scheduled: 'later', published: 'as_is', expired: 'as_is' } as const

/** `YYYY-MM-DDTHH:mm` in Taipei. */
function wall(at: string | number): string {
  const { day, hour, minute } = taipei(at)
  return `${day}T${hour}:${minute}`
}

/** The instant of a wall clock in Taipei; null for none or no time. */
function instantOf(local: string): string | null {
  const ms = Date.parse(`${local}:00+08:00`)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** What is wrong before it is sent; empty when nothing is. */
export function faultsOf(choices: AnnouncementChoices, now: number): Record<string, string> {
  const { when, publish_at, expire_at, for_groups, group_ids } = choices
  const at = instantOf(publish_at)
  const faults: Record<string, string> = {}
  if (when === 'later' && (at === null || Date.parse(at) <= now)) faults['publish_at'] = '請選以後的時間'
  const end = instantOf(expire_at)
  // One that is out may be over: its other fields can still be put right.
  const from = when === 'as_is' ? 0 : when === 'later' && at ? Date.parse(at) : now
  if (expire_at !== '' && (end === null || Date.parse(end) <= from))
    faults['expire_at'] = '過期的時間要在發布之後'
  if (for_groups && group_ids.length === 0) faults['group_ids'] = '請選擇群組，或改成所有成員'
  return faults
}

/** The fields of the call; `publish_at` absent: now for a new one, as it was for another. */
export function fieldsOf(
  choices: AnnouncementChoices,
  announcement: ManagedAnnouncement | null,
  now: number,
) {
  const { when } = choices
  return {
    tags: [...choices.tags],
    pinned: choices.pinned,
    notify: choices.notify,
    expire_at: instantOf(choices.expire_at),
    group_ids: choices.for_groups ? [...choices.group_ids] : [],
    ...(when === 'draft' && { publish_at: null }),
    ...(when === 'later' && { publish_at: instantOf(choices.publish_at) }),
    ...(when === 'now' && announcement !== null && { publish_at: new Date(now).toISOString() }),
  }
}
