/* 等待回覆的邀請: who was asked and has not answered; the newest five. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { invitationQueries } from '#data/nouns/invitation.ts'
import { useGo } from '#screen/go.ts'
import { mdHm } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ListRow } from '../parts/ListRow.tsx'
import { ListState } from '../parts/ListState.tsx'
import { usePeople } from '../parts/people.ts'
import { TwoLines } from '../parts/TwoLines.tsx'
import { ROLE_WORDS } from '../parts/words.ts'
import { InviteSheet } from './InviteSheet.tsx'
import { useOrganization } from './use-place.ts'

const SHOWN = 5

export function WaitingCard() {
  const { id, ctx } = useOrganization()
  const { go } = useGo()
  const { cover } = usePeople()
  const [inviting, setInviting] = useState(false)
  const sent = useQuery(invitationQueries.sent(ctx, id, { status: 'pending', page_size: SHOWN }))
  const total = sent.data?.total ?? 0
  return (
    <Card
      title="等待回覆的邀請"
      {...(total > 0 && { count: total })}
      action={
        total > SHOWN ? (
          <Button size="s" {...go('/organizations/manage?tab=invites')}>
            看全部
          </Button>
        ) : (
          <Button size="s" kind="tint" icon="plus" onClick={() => setInviting(true)}>
            邀請成員
          </Button>
        )
      }
    >
      <ListState query={sent} title="讀不到寄出的邀請" card={false}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="pad ink3">沒有等待回覆的邀請。</p>
          ) : (
            <ul>
              {items.map((invite) => (
                <ListRow key={invite.id}>
                  <TwoLines className="sp">
                    <b className="el">{cover(invite.email)}</b>
                    <small className="num">
                      {ROLE_WORDS[invite.role]} · 邀請有效到 {mdHm(invite.valid_until)}
                    </small>
                  </TwoLines>
                </ListRow>
              ))}
            </ul>
          )
        }
      </ListState>
      {inviting && <InviteSheet onClose={() => setInviting(false)} />}
    </Card>
  )
}
