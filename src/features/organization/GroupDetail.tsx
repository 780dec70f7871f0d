/* One group: its members and its strategies, each with their days. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import {
  copyGroup,
  createGroup,
  type GroupMember,
  type GroupStrategy,
  type StrategyGroup,
} from '#contract/group.ts'
import {
  groupMutations,
  groupQueries,
  membershipQueries,
  organizationQueries,
} from '#data/nouns/organization.ts'
import { Ask, type AskProps } from '#screen/Ask.tsx'
import { ReadFailure } from '#screen/Elsewhere.tsx'
import { failureSentence, refusal } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { number } from '#text/format.ts'
import { copyName, NAME_MOST } from '#text/strategy.ts'
import { ymd } from '#text/time.ts'
import { KINDS } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { Pager, Sides } from '#ui/Card.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { cx, opens } from '#ui/open.ts'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { SpanCard, SpanRow, SpanSheet } from './MemberSheet.tsx'
import css from './OrganizationManagePage.module.css'
import { Fields, Person, Rows, RowsFoot, TwoLines, usePeople } from './Parts.tsx'
import { PickSheet, usePickWord } from './PickSheet.tsx'
import { useOrganization, usePlace } from './TabList.tsx'
import { periodText, placePeriod, today } from './words.ts'

export function GroupDetail({ id }: { id: string }) {
  const { ctx } = useOrganization()
  const { go, search } = usePlace()
  const [asking, setAsking] = useState<'edit' | 'copy' | 'delete' | null>(null)
  const { data: group, error, isFetching, refetch } = useQuery(groupQueries.one(ctx, id))
  // back to the table for whoever came from there, and to what was looked for in it
  const list = () => go({ tab: 'groups', ...(search.view && { ...search, id: '' }) })
  const back = (
    <a
      className={cx(css.GroupDetailBack, 't13 ink3')}
      href="/organizations/manage?tab=groups"
      onClick={opens(list)}
    >
      <Icon name="chevron-left" size={16} />
      策略群組
    </a>
  )
  if (!group)
    return (
      <>
        {back}
        {error ? (
          <ReadFailure
            card
            error={error}
            what="這個群組"
            back={{ href: '/organizations/manage?tab=groups', label: '策略群組' }}
            busy={isFetching}
            onRetry={() => void refetch()}
          >
            {failureSentence(error)}
          </ReadFailure>
        ) : (
          <Rows />
        )}
      </>
    )
  return (
    <>
      {back}
      <div className={css.GroupDetailHead}>
        <div className="sp">
          <h2 className={css.GroupDetailTitle}>{group.name}</h2>
          {group.description && <p className="ink2">{group.description}</p>}
        </div>
        <Button size="s" icon="edit" onClick={() => setAsking('edit')}>
          更改
        </Button>
        <Button size="s" icon="duplicate" onClick={() => setAsking('copy')}>
          複製
        </Button>
        <Button size="s" kind="danger" icon="trash" onClick={() => setAsking('delete')}>
          刪除
        </Button>
      </div>
      <Sides>
        <GroupMembers group={group} />
        <GroupStrategies group={group} />
      </Sides>
      {asking === 'edit' && <GroupDialog group={group} onClose={() => setAsking(null)} />}
      {asking === 'copy' && <CopyGroup group={group} onClose={() => setAsking(null)} />}
      {asking === 'delete' && <DeleteGroup group={group} onClose={() => setAsking(null)} onGone={list} />}
    </>
  )
}

/* The members of a group with their days: added, changed, taken out. */

const PAGE = 20

/** In the group for nothing: its days here are over, or the membership's are. */
function isMemberOver({ state, member_expires_on }: GroupMember): boolean {
  return state === 'ended' || (member_expires_on !== null && member_expires_on < today())
}

/** The days of the place, and the membership's end where that comes first. */
function daysText(member: GroupMember): string {
  const { ends_on } = placePeriod(member)
  return ends_on === null || ends_on === member.ends_on
    ? periodText(member)
    : `${periodText(member)} · 成員資格到 ${ymd(ends_on)}`
}

export function GroupMembers({ group }: { group: StrategyGroup }) {
  const { ctx } = useOrganization()
  const { cover } = usePeople()
  const { go } = usePlace()
  const [page, setPage] = useState(1)
  const list = useQuery(groupQueries.members(ctx, group.id, { page, page_size: PAGE }))
  const total = list.data?.total
  // of one page the rows themselves are counted: the group's own number may come a moment later
  const whole = total !== undefined && total <= PAGE
  return (
    <SpanCard
      noun="成員"
      count={whole ? (list.data?.items.filter((one) => !isMemberOver(one)).length ?? 0) : group.member_count}
      over={isMemberOver}
      query={list}
      onFirst={page > 1 ? () => setPage(1) : undefined}
      rowsOf={({ items }) => items}
      empty="加入成員後，他們才看得到這個群組的策略。"
      row={(member, acts) => (
        <SpanRow
          key={member.user_id}
          id={member.user_id}
          name={cover(member.name)}
          state={isMemberOver(member) ? 'ended' : member.state}
          period={placePeriod(member)}
          seen={{ label: '看得到什麼', onOpen: () => go({ tab: 'access', user: member.user_id }) }}
          {...acts}
        >
          <Person
            name={member.name}
            avatar={member.avatar}
            note={daysText(member)}
            dim={isMemberOver(member)}
          />
        </SpanRow>
      )}
      foot={
        <RowsFoot>
          <Pager page={page} pageSize={PAGE} total={total ?? 0} counter="位" onPage={setPage} />
        </RowsFoot>
      }
      add={(onClose) => <AddMembers group={group} onClose={onClose} />}
      edit={(member, onClose) => (
        <SpanSheet
          name={cover(member.name)}
          note={
            member.member_expires_on
              ? `成員資格到 ${member.member_expires_on.replaceAll('-', '/')}，兩者先到的為準。`
              : undefined
          }
          ends="儲存後經由這個群組看到的策略立刻看不到；其他群組不受影響，隨時可以再改期間。"
          period={member}
          mutation={groupMutations.updateMember(ctx)}
          input={(span) => ({ id: group.id, user_id: member.user_id, ...span })}
          onClose={onClose}
        />
      )}
      remove={(member, onClose) => (
        <TakeOut
          name={cover(member.name)}
          mutation={groupMutations.removeMember(ctx)}
          input={{ id: group.id, user_id: member.user_id }}
          onClose={onClose}
        >
          <p>經由這個群組看到的策略立刻看不到；其他群組不受影響。</p>
        </TakeOut>
      )}
    />
  )
}

/* The strategies of a group with their days. The call replaces the whole list, so every change sends all of it. */

export function GroupStrategies({ group }: { group: StrategyGroup }) {
  const { ctx } = useOrganization()
  const { open } = useGo()
  const { go } = usePlace()
  const list = useQuery(groupQueries.strategies(ctx, group.id))
  const rows = list.data ?? []
  const put = groupMutations.setStrategies(ctx)
  /** The list as it stands, with `over` laid over this row; null leaves it out. */
  const replaced = (one: GroupStrategy, over: Partial<GroupStrategy> | null) => ({
    id: group.id,
    strategies: rows.flatMap((row) => {
      if (row.strategy_id !== one.strategy_id) return [spanIn(row)]
      return over === null ? [] : [spanIn({ ...row, ...over })]
    }),
  })
  return (
    <SpanCard
      noun="策略"
      count={list.data ? rows.filter((row) => !isOver(row)).length : group.strategy_count}
      over={isOver}
      query={list}
      rowsOf={(items) => items}
      empty="加入策略後，群組的成員才看得到它的訊號。"
      row={(row, acts) => (
        <SpanRow
          key={row.strategy_id}
          id={row.strategy_id}
          name={row.name}
          state={row.state}
          period={row}
          seen={{ label: '誰看得到', onOpen: () => go({ tab: 'access', strategy: row.strategy_id }) }}
          {...acts}
        >
          <TwoLines
            link={{
              href: `/strategies/${row.strategy_id}`,
              onOpen: () => open(`/strategies/${row.strategy_id}`),
            }}
          >
            <b className="el">{row.name}</b>
            <small className="num">{periodText(row)}</small>
          </TwoLines>
        </SpanRow>
      )}
      add={(onClose) => <AddStrategies group={group} given={rows.map(spanIn)} onClose={onClose} />}
      edit={(row, onClose) => (
        <SpanSheet
          name={row.name}
          ends="儲存後群組的成員立刻看不到這個策略與它的訊號。策略本身不受影響，隨時可以再改期間。"
          period={row}
          mutation={put}
          input={(span) => replaced(row, span)}
          onClose={onClose}
        />
      )}
      remove={(row, onClose) => (
        <TakeOut name={row.name} mutation={put} input={replaced(row, null)} onClose={onClose}>
          <p>群組的成員立刻看不到這個策略與它的訊號。策略本身不會刪除。</p>
        </TakeOut>
      )}
    />
  )
}

const isOver = ({ state }: GroupStrategy) => state === 'ended'

/** A row as the call takes it. */
function spanIn({ strategy_id, starts_on, ends_on }: GroupStrategy) {
  return { strategy_id, starts_on, ends_on }
}

/* Choosing members for a group, with the days they get in it. */

export function AddMembers({ group, onClose }: { group: StrategyGroup; onClose: () => void }) {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const search = usePickWord()
  const list = useQuery(membershipQueries.list(ctx, id, { ...search.filters, role: 'member' }))
  return (
    <PickSheet
      group={group}
      noun="成員"
      counter="位"
      placeholder="姓名、電子郵件"
      search={search}
      query={list}
      failed="讀不到成員"
      rowsOf={({ items }) =>
        items
          .filter(({ groups }) => !groups.some((one) => one.id === group.id))
          .map(({ user_id, name, email }) => ({ id: user_id, name: cover(name), note: cover(email) }))
      }
      all="成員都在這個群組裡了。管理者看得到全部策略，不用加入群組。"
      none={{
        title: '還沒有管理者以外的成員',
        text: '邀請時就能選這個群組。管理者看得到全部策略，不用加入群組。',
        ...{ action: '邀請成員', to: '/organizations/manage?tab=invites' },
      }}
      mutation={groupMutations.addMembers(ctx)}
      input={(ids, span) => ({ id: group.id, user_ids: [...ids], ...span })}
      onClose={onClose}
    />
  )
}

/* Choosing strategies for a group, with the days they get in it. */

/** `given` the group's list as it stands; the call replaces it. */
export type AddStrategiesProps = {
  group: StrategyGroup
  given: readonly Pick<GroupStrategy, 'strategy_id' | 'starts_on' | 'ends_on'>[]
  onClose: () => void
}

export function AddStrategies({ group, given, onClose }: AddStrategiesProps) {
  const { id, ctx } = useOrganization()
  const search = usePickWord()
  const list = useQuery(organizationQueries.strategies(ctx, id, search.filters))
  return (
    <PickSheet
      group={group}
      noun="策略"
      counter="個"
      placeholder="策略名稱"
      search={search}
      query={list}
      failed="讀不到組織的策略"
      rowsOf={({ items }) =>
        items
          .filter((one) => !given.some(({ strategy_id }) => strategy_id === one.id))
          .map(({ id, name, kind }) => ({ id, name, note: KINDS[kind].name }))
      }
      all="組織的策略都在這個群組裡了。"
      none={{
        ...{ title: '組織還沒有策略', text: '以組織的身份建立，再放進群組。' },
        ...{ action: '建立策略', to: '/strategies/create' },
      }}
      mutation={groupMutations.setStrategies(ctx)}
      input={(ids, span) => ({
        id: group.id,
        strategies: [...given, ...ids.map((strategy_id) => ({ strategy_id, ...span }))],
      })}
      onClose={onClose}
    >
      <p className="t13 ink3">成員只看得到起日以後的訊號。要給過去的紀錄，把起日往前調。</p>
    </PickSheet>
  )
}

/* Taking somebody or something out of a group. */

/** `name` as the screen shows it; `children` what ends by it. */
export type TakeOutProps<Output, Input> = { name: string } & Pick<
  AskProps<Output, Input>,
  'mutation' | 'input' | 'onClose' | 'children'
>

export function TakeOut<Output, Input>({ name, ...ask }: TakeOutProps<Output, Input>) {
  return (
    <Ask
      title={`移出「${name}」`}
      verb="移出群組"
      icon="minus"
      done={{ title: `已移出「${name}」` }}
      safe="沒有任何變更，"
      {...ask}
    />
  )
}

/* A group's name and description: a new one, or another for one that is there. */

/** `group` null makes a new one and hands its id to `onMade`. */
export type GroupDialogProps = {
  group: Pick<StrategyGroup, 'id' | 'name' | 'description'> | null
  onClose: () => void
  onMade?: (id: string) => void
}

export function GroupDialog({ group, onClose, onMade }: GroupDialogProps) {
  const { ctx } = useOrganization()
  const id = useId()
  const create = useMutation(groupMutations.create(ctx))
  const update = useMutation(groupMutations.update(ctx))
  const initial = { name: group?.name ?? '', description: group?.description ?? '' }
  const { values, failure, busy, field, form } = useForm({
    initial,
    check: (typed) => fieldMessages(createGroup.input, typed),
    send: async (typed) => {
      const made = group
        ? await update.mutateAsync({ id: group.id, ...typed })
        : await create.mutateAsync(typed)
      toast({ title: group ? '群組已更新' : `已建立「${typed.name.trim()}」`, icon: 'check' })
      onClose()
      if (!group) onMade?.(made.id)
    },
    refused: (error) => refusal(error, '內容都還在，', ['name', 'description']),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      sticky={values.name !== initial.name || values.description !== initial.description}
      title={group ? '更改群組' : '建立策略群組'}
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form={id} busy={busy}>
            {group ? '儲存' : '建立群組'}
          </Button>
        </>
      }
    >
      <form id={id} {...form}>
        <Fields>
          <TextField label="群組名稱" maxLength={60} placeholder="例如：台指班" {...field('name')} />
          <TextField label="說明（選填）" rows={2} maxLength={200} counter {...field('description')} />
          <Refused text={failure} />
        </Fields>
      </form>
    </Dialog>
  )
}

/* 複製群組: what the copy is called, and what it takes along. */

export type CopyGroupProps = {
  group: Pick<StrategyGroup, 'id' | 'name' | 'member_count' | 'strategy_count'>
  onClose: () => void
}

export function CopyGroup({ group, onClose }: CopyGroupProps) {
  const { ctx } = useOrganization()
  const { go } = usePlace()
  const id = useId()
  const { mutateAsync } = useMutation(groupMutations.copy(ctx))
  const initial = { name: copyName(group.name) }
  const { values, failure, busy, field, form } = useForm({
    initial,
    check: ({ name }) => fieldMessages(copyGroup.input, { id: group.id, name }),
    send: async ({ name }) => {
      const made = await mutateAsync({ id: group.id, name })
      toast({ title: `已建立「${made.name}」`, icon: 'check' })
      onClose()
      go({ tab: 'groups', id: made.id })
    },
    refused: (error) => refusal(error, '沒有複製，', ['name']),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      sticky={values.name !== initial.name}
      title={`複製「${group.name}」`}
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" type="submit" form={id} busy={busy}>
            複製群組
          </Button>
        </>
      }
    >
      <p>
        {number(group.member_count)} 位成員、{number(group.strategy_count)}{' '}
        個策略與各自的期間一起複製，已結束的不帶；成員立刻也在新的群組裡。
      </p>
      <form id={id} {...form}>
        <Fields>
          <TextField label="新群組的名稱" maxLength={NAME_MOST} autoComplete="off" {...field('name')} />
          <Refused text={failure} />
        </Fields>
      </form>
    </Dialog>
  )
}

/* Deleting a group: who loses what, and what stays. */

export function DeleteGroup({
  group,
  onClose,
  onGone,
}: {
  group: StrategyGroup
  onClose: () => void
  onGone?: () => void
}) {
  const { ctx } = useOrganization()
  return (
    <Ask
      title={`刪除「${group.name}」`}
      verb="刪除群組"
      mutation={groupMutations.remove(ctx)}
      input={{ id: group.id }}
      done={{ title: `已刪除「${group.name}」` }}
      safe="群組還在，"
      onClose={onClose}
      onDone={onGone}
    >
      <p>
        {group.member_count > 0
          ? `${number(group.member_count)} 位成員經由這個群組看到的策略立刻看不到。`
          : '群組裡還沒有成員。'}
        成員與策略本身不會刪除。
      </p>
    </Ask>
  )
}
