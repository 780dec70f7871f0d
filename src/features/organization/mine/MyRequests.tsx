/* 我的申請: where I asked to join, what became of it; taken back while nobody has answered. */

import { useState } from 'react'
import type { MyJoinRequest } from '#contract/join.ts'
import { joinMutations } from '#data/nouns/invitation.ts'
import { Ask } from '#screen/Ask.tsx'
import { mdHm } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Avatar, Tag } from '#ui/Tag.tsx'
import { ListRow } from '../parts/ListRow.tsx'
import { usePeople } from '../parts/people.ts'
import { RowKeys } from '../parts/RowKeys.tsx'
import { TwoLines } from '../parts/TwoLines.tsx'
import { REQUEST_WORDS } from '../parts/words.ts'
import css from './MyRequests.module.css'

const SHOWN_MS = 30 * 86_400_000

/**
 * The newest of each organization (they come newest first). Approved ones stand above as organizations, those taken back say nothing
 * any more, and an answer has been read after a month.
 */
export function shownRequests(all: readonly MyJoinRequest[]): readonly MyJoinRequest[] {
  const newest = all.filter(
    (one, i) => all.findIndex(({ organization }) => organization.id === one.organization.id) === i,
  )
  return newest.filter(({ status, decided_at, expires_at }) =>
    status === 'pending'
      ? true
      : status !== 'approved' &&
        status !== 'cancelled' &&
        Date.parse(decided_at ?? expires_at) > serverNow() - SHOWN_MS,
  )
}

export function MyRequests({ requests }: { requests: readonly MyJoinRequest[] }) {
  const { cover, face } = usePeople()
  const [cancelling, setCancelling] = useState<MyJoinRequest | null>(null)
  return (
    <Card title="我的申請" flush>
      <ul>
        {requests.map((one) => {
          const name = cover(one.organization.name)
          const state = REQUEST_WORDS[one.status]
          return (
            <ListRow key={one.id} wraps>
              <div className={css.who}>
                <Avatar name={name} src={face(one.organization.logo)} size={36} />
                <TwoLines className="sp">
                  <b className="el">{name}</b>
                  <small className="num">{note(one)}</small>
                </TwoLines>
              </div>
              <Tag tone={state.tone} icon={state.icon}>
                {state.text}
              </Tag>
              {one.status === 'pending' && (
                <RowKeys>
                  <Button size="s" kind="soft" label={`取消申請：${name}`} onClick={() => setCancelling(one)}>
                    取消申請
                  </Button>
                </RowKeys>
              )}
            </ListRow>
          )
        })}
      </ul>
      {cancelling && (
        <Ask
          title={`取消加入「${cover(cancelling.organization.name)}」的申請？`}
          verb="取消申請"
          icon="close"
          mild
          mutation={joinMutations.cancel()}
          input={cancelling.id}
          done={{ title: '已取消申請' }}
          safe="申請還在，"
          onClose={() => setCancelling(null)}
        >
          <p>管理者不會再看到這份申請。之後可以再用邀請連結或加入碼申請一次。</p>
        </Ask>
      )}
    </Card>
  )
}

function note({ status, created_at, expires_at, reason }: MyJoinRequest): string {
  const asked = `申請於 ${when(created_at, serverNow())}`
  if (status === 'pending') return `${asked}，${mdHm(expires_at)} 前沒有審核就過期`
  if (status === 'expired') return `${asked}，30 天內沒有審核；可以再申請一次`
  return reason ? `管理者說：${reason}` : `${asked}；需要時請洽組織的管理者`
}
