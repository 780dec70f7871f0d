/* 加入申請: who asks to join; passed one by one or several at once, or refused with a reason. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { JOIN_STATES, type JoinRequest } from '#contract/join.ts'
import { joinQueries } from '#data/nouns/invitation.ts'
import { useGo } from '#screen/go.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { REQUEST_WORDS } from '../../parts/words.ts'
import { Bar } from '../Bar.tsx'
import { NothingOf, StateChips, useStatus } from '../StateFilter.tsx'
import { TabList } from '../TabList.tsx'
import { PAGE, useOrganization, usePlace } from '../use-place.ts'
import { ApproveSheet } from './ApproveSheet.tsx'
import { RejectSheet } from './RejectSheet.tsx'
import { RequestRow } from './RequestRow.tsx'
import css from './RequestsTab.module.css'

type Deciding = { what: 'approve' | 'reject'; requests: readonly JoinRequest[] }

export function RequestsTab() {
  const { id, ctx } = useOrganization()
  const { go } = useGo()
  const { page } = usePlace()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [deciding, setDeciding] = useState<Deciding | null>(null)
  const status = useStatus(JOIN_STATES)
  const list = useQuery(joinQueries.requests(ctx, id, { page, page_size: PAGE, ...(status && { status }) }))
  const waiting = (list.data?.items ?? []).filter((one) => one.status === 'pending')
  // one that was answered meanwhile is not chosen any more
  const picked = waiting.filter((one) => chosen.includes(one.id))
  const pick = (ids: readonly string[], on: boolean) =>
    setChosen((before) => [...before.filter((one) => !ids.includes(one)), ...(on ? ids : [])])
  return (
    <>
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
      <TabList
        query={list}
        title="讀不到加入申請"
        counter="份"
        empty={
          status === undefined ? (
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
            <NothingOf state={REQUEST_WORDS[status].text} what="申請" />
          )
        }
      >
        {(items) => (
          <>
            {waiting.length > 1 && (
              <Checkbox
                className={css.all}
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
