/* 邀請連結: the addresses that let people in, or let them ask; made, changed, stopped. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InviteLink } from '#contract/join.ts'
import { joinQueries } from '#data/nouns/invitation.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ListState } from '../../parts/ListState.tsx'
import { useOrganization } from '../use-place.ts'
import { LinkQr } from './LinkQr.tsx'
import { LinkRow } from './LinkRow.tsx'
import { LinkSheet } from './LinkSheet.tsx'
import { RotateLink } from './RotateLink.tsx'

type Open = { what: 'edit' | 'qr' | 'rotate'; link: InviteLink } | { what: 'new' }

export function LinksCard() {
  const { id, ctx } = useOrganization()
  const [open, setOpen] = useState<Open | null>(null)
  const links = useQuery(joinQueries.links(ctx, id))
  const close = () => setOpen(null)
  return (
    <Card
      title="邀請連結"
      {...(links.data && links.data.length > 0 && { count: links.data.length })}
      action={
        <Button size="s" kind="tint" icon="plus" onClick={() => setOpen({ what: 'new' })}>
          建立連結
        </Button>
      }
    >
      <ListState query={links} title="讀不到邀請連結" card={false}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="pad ink3">還沒有邀請連結。建立一個，貼到群組或印成 QR 碼，一次邀請很多人。</p>
          ) : (
            <ul>
              {rows.map((link) => (
                <LinkRow
                  key={link.id}
                  link={link}
                  onEdit={() => setOpen({ what: 'edit', link })}
                  onQr={() => setOpen({ what: 'qr', link })}
                  onRotate={() => setOpen({ what: 'rotate', link })}
                />
              ))}
            </ul>
          )
        }
      </ListState>
      {open?.what === 'new' && <LinkSheet onClose={close} onMade={(link) => setOpen({ what: 'qr', link })} />}
      {open?.what === 'edit' && <LinkSheet link={open.link} onClose={close} />}
      {open?.what === 'qr' && <LinkQr link={open.link} onClose={close} />}
      {open?.what === 'rotate' && <RotateLink link={open.link} onClose={close} />}
    </Card>
  )
}
