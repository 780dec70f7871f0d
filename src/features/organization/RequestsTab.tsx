/* 加入申請: who asks to join; passed one by one or several at once, or refused with a reason. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { JOIN_STATES, type JoinRequest } from '#contract/join.ts'
import { joinMutations, joinQueries } from '#data/nouns/organization.ts'
import { Ask } from '#screen/Ask.tsx'
import { useDirtyForm } from '#screen/dirty.ts'
import { refusal } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { Tag } from '#ui/Tag.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { GroupChecks, newPeriodErrors, PeriodFields, spanOf } from './MemberFields.tsx'
import css from './OrganizationManagePage.module.css'
import { Bar, Fields, ListRow, Person, RowActions, usePeople } from './Parts.tsx'
import { NothingOf, PAGE, StateChips, TabList, useOrganization, usePlace, useStatus } from './TabList.tsx'
import { REQUEST_WORDS, today } from './words.ts'

type Deciding = { what: 'approve' | 'reject'; requests: readonly JoinRequest[] }

export function RequestsTab() {
  const { id, ctx } = useOrganization()
  const { go } = useGo()
  const { page } = usePlace()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [deciding, setDeciding] = useState<Deciding | null>(null)
  const status = useStatus(JOIN_STATES)
  const list = useQuery(joinQueries.requests(ctx, id, { page, page_size: PAGE, ...(status && { status }) }))
  const none = status === undefined && list.data?.total === 0
  const waiting = (list.data?.items ?? []).filter((one) => one.status === 'pending')
  // one that was answered meanwhile is not chosen any more
  const picked = waiting.filter((one) => chosen.includes(one.id))
  const pick = (ids: readonly string[], on: boolean) =>
    setChosen((before) => [...before.filter((one) => !ids.includes(one)), ...(on ? ids : [])])
  return (
    <>
      {!none && (
        <Bar
          chips={<StateChips states={JOIN_STATES} words={REQUEST_WORDS} />}
          action={
            picked.length > 0 && (
              <Button
                kind="filled"
                icon="check"
                onClick={() => setDeciding({ what: 'approve', requests: picked })}
              >
                通過 {picked.length} 份
              </Button>
            )
          }
        />
      )}
      <TabList
        query={list}
        title="讀不到加入申請"
        counter="份"
        empty={
          none ? (
            <EmptyState
              card
              title="還沒有加入申請"
              action={
                <Button kind="filled" icon="link" {...go('/organizations/manage?tab=invites')}>
                  建立邀請連結
                </Button>
              }
            >
              把邀請連結或加入碼給要加入的人，他們的申請會出現在這裡，等你審核。
            </EmptyState>
          ) : (
            status && <NothingOf state={REQUEST_WORDS[status].text} what="申請" />
          )
        }
      >
        {(items) => (
          <>
            {waiting.length > 1 && (
              <Checkbox
                className={css.RequestsTabAll}
                label={`選這一頁待審核的 ${waiting.length} 份`}
                checked={picked.length === waiting.length}
                onChange={(on) =>
                  pick(
                    waiting.map((one) => one.id),
                    on,
                  )
                }
              />
            )}
            <ul className="card flush">
              {items.map((request) => (
                <RequestRow
                  key={request.id}
                  request={request}
                  chosen={waiting.length > 1 ? chosen.includes(request.id) : null}
                  onChoose={(on) => pick([request.id], on)}
                  onApprove={() => setDeciding({ what: 'approve', requests: [request] })}
                  onReject={() => setDeciding({ what: 'reject', requests: [request] })}
                />
              ))}
            </ul>
          </>
        )}
      </TabList>
      {deciding?.what === 'approve' && (
        <ApproveSheet
          requests={deciding.requests}
          onClose={() => setDeciding(null)}
          onDone={() => setChosen([])}
        />
      )}
      {deciding?.what === 'reject' && deciding.requests[0] && (
        <RejectSheet request={deciding.requests[0]} onClose={() => setDeciding(null)} />
      )}
    </>
  )
}

/* One request: who asks, with which words, since when; or what became of it. */

/** `chosen` null: there is nothing to choose among. */
type RequestRowProps = {
  request: JoinRequest
  chosen: boolean | null
  onChoose: (on: boolean) => void
  onApprove: () => void
  onReject: () => void
}

const BY: Record<JoinRequest['source'], string> = { link: '用邀請連結', join_code: '用加入碼' }

export function RequestRow({ request, chosen, onChoose, onApprove, onReject }: RequestRowProps) {
  const { cover } = usePeople()
  const { user, message, status, reason, decided_by, decided_at } = request
  const waiting = status === 'pending'
  const state = REQUEST_WORDS[status]
  const name = cover(user.name)
  return (
    <ListRow wraps>
      <div className={css.RequestRowWho}>
        {waiting && chosen !== null && (
          <Checkbox label={`選 ${name} 的申請`} hideLabel checked={chosen} onChange={onChoose} />
        )}
        <div className="sp">
          <Person name={user.name} avatar={user.avatar} note={cover(user.email)} dim={!waiting} />
          {message && <p className={css.RequestRowWords}>{message}</p>}
          <p className="t13 ink3 num">
            {BY[request.source]}申請於 {when(request.created_at, serverNow())}
            {decided_by &&
              decided_at &&
              ` · ${cover(decided_by.name)} 審核於 ${when(decided_at, serverNow())}`}
            {reason && ` · 原因：${reason}`}
          </p>
        </div>
      </div>
      <Tag tone={state.tone} icon={state.icon}>
        {state.text}
      </Tag>
      {waiting && (
        <RowActions>
          <Button size="s" kind="soft" label={`拒絕 ${name} 的申請`} onClick={onReject}>
            拒絕
          </Button>
          <Button size="s" kind="tint" label={`通過 ${name} 的申請`} onClick={onApprove}>
            通過
          </Button>
        </RowActions>
      )}
    </ListRow>
  )
}

/* Passing one request or several: the days and the groups that they get. */

/** What all of them offer alike, else nothing. */
function offered(requests: readonly JoinRequest[]): { group_ids: readonly string[]; ends_on: string } {
  const [first] = requests
  const alike = (of: (one: JoinRequest) => string) => new Set(requests.map(of)).size === 1
  return {
    group_ids: first && alike((one) => one.group_ids.toSorted().join()) ? first.group_ids : [],
    ends_on: first?.expires_on && alike((one) => one.expires_on ?? '') ? first.expires_on : '',
  }
}

export function ApproveSheet(props: {
  requests: readonly JoinRequest[]
  onClose: () => void
  onDone: () => void
}) {
  const { requests, onClose, onDone } = props
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const sheet = useId()
  const [offer] = useState(() => ({ ...offered(requests), starts_on: today() }))
  const [group_ids, setGroups] = useState(offer.group_ids)
  const review = useMutation(joinMutations.reviewMany(ctx))
  const [first] = requests
  const many = requests.length > 1
  const { values, errors, failure, busy, change, form } = useForm({
    initial: { starts_on: offer.starts_on, ends_on: offer.ends_on },
    check: newPeriodErrors,
    send: async (days) => {
      const { starts_on, ends_on: expires_on } = spanOf(days)
      const rows = await review.mutateAsync({
        ...{ id, request_ids: requests.map((one) => one.id), decision: 'approve' },
        ...{ group_ids: [...group_ids], starts_on, expires_on },
      })
      const done = rows.filter((row) => row.result === 'done').length
      const rest = rows.length - done
      toast({
        title: done > 0 ? `已通過 ${done} 份申請` : '沒有通過任何申請',
        ...(rest > 0 && { description: `${rest} 份已經有人處理過，或對方已經是成員。` }),
        icon: done > 0 ? 'check' : 'info',
      })
      onDone()
      onClose()
    },
    refused: (error) => refusal(error, '沒有任何變更，', ['starts_on', 'expires_on']),
  })
  const dirty =
    values.starts_on !== offer.starts_on ||
    values.ends_on !== offer.ends_on ||
    group_ids.toSorted().join() !== offer.group_ids.toSorted().join()
  useDirtyForm(dirty)
  return (
    <Sheet
      open
      onClose={onClose}
      sticky={dirty}
      title={many ? `通過 ${requests.length} 份申請` : '通過申請'}
      subtitle={many ? '每個人得到一樣的期間與群組' : cover(first?.user.name ?? '')}
      foot={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button kind="filled" icon="check" type="submit" form={sheet} busy={busy}>
            {many ? `通過 ${requests.length} 份` : '通過，成為成員'}
          </Button>
        </>
      }
    >
      <form id={sheet} {...form}>
        <Fields>
          <PeriodFields days={values} onChange={change} errors={errors} />
          <p className="t13 ink3">起日之前的訊號看不到；到期日的隔天零時起全部看不到。</p>
          <GroupChecks what="joining" chosen={group_ids} onChange={setGroups} />
          <Refused text={failure} />
        </Fields>
      </form>
    </Sheet>
  )
}

/* Refusing a request, with a reason that the person reads. */

export function RejectSheet({ request, onClose }: { request: JoinRequest; onClose: () => void }) {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const [reason, setReason] = useState('')
  const name = cover(request.user.name)
  return (
    <Ask
      title={`拒絕 ${name} 的申請？`}
      verb="拒絕申請"
      icon="close"
      sticky={reason !== ''}
      mutation={joinMutations.review(ctx)}
      input={{ id, request_id: request.id, decision: 'reject', ...(reason.trim() && { reason }) }}
      done={{ title: '已拒絕申請', description: name }}
      safe="申請還在，"
      onClose={onClose}
    >
      <p>對方會收到通知，看得到你寫的原因，也可以再申請一次。</p>
      <TextField
        label="原因（可以不寫）"
        rows={2}
        maxLength={200}
        counter
        value={reason}
        onChange={setReason}
        placeholder="例如：請先完成報名"
      />
    </Ask>
  )
}
