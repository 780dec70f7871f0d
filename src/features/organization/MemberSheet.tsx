/* Role and period of one member. */

import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { covers, type Span } from '#contract/access.ts'
import type { SPAN_STATES } from '#contract/group.ts'
import type { Member } from '#contract/membership.ts'
import type { Role } from '#contract/permissions.ts'
import { membershipMutations } from '#data/nouns/organization.ts'
import { Ask, type AskProps } from '#screen/Ask.tsx'
import { useDirtyForm } from '#screen/dirty.ts'
import { codeOf, failureSentence, refusal, refusedFields } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { ymd } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useForm } from '#ui/use-form.ts'
import { type Days, PeriodFields, periodErrors, RoleField, spanOf } from './MemberFields.tsx'
import { Fields, ListRow, ListState, type ListStateProps, SectionTitle, usePeople } from './Parts.tsx'
import { useOrganization } from './TabList.tsx'
import { periodStateWords, today } from './words.ts'

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
          <PeriodFields days={values} onChange={change} errors={errors} ends_now={member.expires_on} />
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

/* A card of a group: who or what is in it with their days; added, changed, taken out. */

/**
 * `noun` what stands in it, `empty` why nothing does is worth a change. `row` draws one with what its menu does; `add`, `edit`
 * and `remove` draw what opens over the card until they close it.
 */
export type SpanCardProps<Data, Row> = {
  noun: string
  count: number
  /** In it for nothing any more: not counted, and below the others. */
  over: (row: Row) => boolean
  query: ListStateProps<Data>['query']
  rowsOf: (data: Data) => readonly Row[]
  empty: string
  row: (row: Row, acts: { onEdit: () => void; onRemove: () => void }) => ReactNode
  add: (onClose: () => void) => ReactNode
  edit: (row: Row, onClose: () => void) => ReactNode
  remove: (row: Row, onClose: () => void) => ReactNode
  foot?: ReactNode
  /** Leads to the first page, where a later one is asked for. */
  onFirst?: (() => void) | undefined
}

export function SpanCard<Data, Row>(props: SpanCardProps<Data, Row>) {
  const { noun, query } = props
  const [opened, setOpened] = useState<'add' | { edit: Row } | { remove: Row } | null>(null)
  const close = () => setOpened(null)
  const drawn = (row: Row) =>
    props.row(row, {
      onEdit: () => setOpened({ edit: row }),
      onRemove: () => setOpened({ remove: row }),
    })
  return (
    <Card
      title={noun}
      count={props.count}
      action={
        <Button
          size="s"
          kind="tint"
          icon="plus"
          disabled={query.data === undefined}
          onClick={() => setOpened('add')}
        >
          加入{noun}
        </Button>
      }
    >
      <ListState query={query} title={`讀不到群組的${noun}`} card={false} onFirst={props.onFirst}>
        {(data) => {
          const rows = props.rowsOf(data)
          if (rows.length === 0) return <EmptyState title={`還沒有${noun}`}>{props.empty}</EmptyState>
          const [standing, ended] = [rows.filter((row) => !props.over(row)), rows.filter(props.over)]
          return (
            <>
              {standing.length > 0 && <ul>{standing.map(drawn)}</ul>}
              {ended.length > 0 && <SectionTitle as="h3">已到期：不計入{noun}數</SectionTitle>}
              {ended.length > 0 && <ul>{ended.map(drawn)}</ul>}
              {props.foot}
            </>
          )
        }}
      </ListState>
      {opened === 'add'
        ? props.add(close)
        : opened && ('edit' in opened ? props.edit(opened.edit, close) : props.remove(opened.remove, close))}
    </Card>
  )
}

/* A row of a group with its days: who or what, where it stands, what can be done. */

/** `name` for the labels, `children` who or what it is. */
export type SpanRowProps = {
  id: string
  name: string
  state: (typeof SPAN_STATES)[number]
  period: Span
  onEdit: () => void
  onRemove: () => void
  /** Where the log says who could see it, or what. */
  seen: { label: string; onOpen: () => void }
  children: ReactNode
}

export function SpanRow({ id, name, state, period, onEdit, onRemove, seen, children }: SpanRowProps) {
  const words = periodStateWords(state, period)
  const menu = `og-span-${id}`
  return (
    <ListRow>
      <div className="sp">{children}</div>
      <Tag tone={words.tone} icon={words.icon}>
        {words.text}
      </Tag>
      <IconButton icon="more" label={`${name}：更多`} opensId={menu} />
      <Menu
        id={menu}
        label={`${name}：更多`}
        items={[
          { label: '更改期間', icon: 'calendar', onPick: onEdit },
          { label: seen.label, icon: 'eye', onPick: seen.onOpen },
          { label: '移出群組', icon: 'minus', danger: true, apart: true, onPick: onRemove },
        ]}
      />
    </ListRow>
  )
}

/* The days of one row of a group. */

/** `name` whose days they are; `input` of `mutation` for the days that were chosen; `ends` what days that are over end at once. */
export type SpanSheetProps<Output, Input> = {
  name: string
  note?: string | undefined
  ends: string
  period: Span
  mutation: UseMutationOptions<Output, Error, Input>
  input: (span: Span) => Input
  onClose: () => void
}

export function SpanSheet<Output, Input>(props: SpanSheetProps<Output, Input>) {
  const { name, note, period, onClose } = props
  const id = useId()
  const { mutateAsync } = useMutation(props.mutation)
  const initial = { starts_on: period.starts_on, ends_on: period.ends_on ?? '' }
  const { values, errors, failure, busy, change, form } = useForm({
    initial,
    check: periodErrors,
    send: async (days) => {
      await mutateAsync(props.input(spanOf(days)))
      toast({ title: '期間已更新', icon: 'check' })
      onClose()
    },
    refused: (error) => refusal(error, '沒有任何變更，', ['starts_on', 'ends_on']),
  })
  const dirty = values.starts_on !== initial.starts_on || values.ends_on !== initial.ends_on
  useDirtyForm(dirty)
  const { onSubmit, question } = useEnding(period, values, form.onSubmit)
  return (
    <Sheet
      open
      onClose={onClose}
      sticky={dirty}
      title="群組裡的期間"
      subtitle={name}
      foot={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form={id} busy={busy}>
            儲存
          </Button>
        </>
      }
    >
      <form id={id} {...form} onSubmit={onSubmit}>
        <Fields>
          <PeriodFields days={values} onChange={change} errors={errors} ends_now={period.ends_on} />
          <p className="t13 ink3">起日之前的訊號看不到；到期日的隔天零時起全部看不到。{note}</p>
          <Refused text={failure} />
        </Fields>
      </form>
      {question && (
        <EndQuestion
          {...question}
          title={`立刻結束「${name}」在群組的期間？`}
          icon="minus"
          mutation={props.mutation}
          input={props.input(spanOf(values))}
          done={{ title: '期間已更新' }}
          onDone={onClose}
          ends={props.ends}
        />
      )}
    </Sheet>
  )
}

/* The question before a period ends at once: why it does, and what ends with it. */

/** `ending` why nothing of it holds today any more, `ends` what that takes away at once. */
export type EndQuestionProps<Output, Input> = Omit<AskProps<Output, Input>, 'verb' | 'safe' | 'children'> & {
  ending: string | null
  ends: string
}

export function EndQuestion<Output, Input>({ ending, ends, ...ask }: EndQuestionProps<Output, Input>) {
  return (
    <Ask verb="立刻結束" safe="沒有任何變更，" {...ask}>
      <p>
        {ending}：{ends}
      </p>
    </Ask>
  )
}

// What a form of days asks before it is sent: whether what stands today ends at once by them.

/** `before` as it stands; `send` when nothing ends at once. `question` is open while it is asked. */
export function useEnding(before: Span, days: Days, send: (event: FormEvent<HTMLFormElement>) => void) {
  const [asking, setAsking] = useState(false)
  const ending = Object.keys(periodErrors(days)).length === 0 ? endsAtOnce(before, spanOf(days)) : null
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    if (!ending) return send(event)
    event.preventDefault()
    setAsking(true)
  }
  return { onSubmit, question: asking ? { ending, onClose: () => setAsking(false) } : null }
}

// Which days end at once what stands today: asked before they are stored.

/** Why nothing of it holds today any more, in words; null when it goes on, or did not hold before either. */
export function endsAtOnce(before: Span, after: Span, day = today()): string | null {
  if (!covers(before, day) || covers(after, day)) return null
  if (after.starts_on > day) return `起日 ${ymd(after.starts_on)} 還沒到`
  return `到期日 ${ymd(after.ends_on ?? '')} 已經過去`
}
