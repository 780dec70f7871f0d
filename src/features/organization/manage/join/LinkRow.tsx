/* One link: how it lets in, how often it was used, where it stands; copied with one press. */
import { useMutation } from '@tanstack/react-query'
import type { InviteLink } from '#contract/join.ts'
import { joinMutations } from '#data/nouns/invitation.ts'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'
import { mdHm, ymd } from '#text/format.ts'
import { CopyButton } from '#ui/CopyButton.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { Tag } from '#ui/Tag.tsx'
import { ListRow } from '../../parts/ListRow.tsx'
import { RowKeys } from '../../parts/RowKeys.tsx'
import { TwoLines } from '../../parts/TwoLines.tsx'
import { LINK_WORDS } from '../../parts/words.ts'
import { useOrganization } from '../use-place.ts'

type LinkRowProps = { link: InviteLink; onEdit: () => void; onQr: () => void; onRotate: () => void }

export function LinkRow({ link, onEdit, onQr, onRotate }: LinkRowProps) {
  const { id, ctx } = useOrganization()
  const update = useMutation(joinMutations.updateLink(ctx))
  const state = LINK_WORDS[link.state]
  const menu = `og-link-${link.id}`
  const name = `${mdHm(link.created_at)} 建立的連結`
  const turn = (enabled: boolean) =>
    update.mutate(
      { id, link_id: link.id, enabled },
      {
        onSuccess: () => toast({ title: enabled ? '連結已啟用' : '連結已停用', icon: 'check' }),
        onError: (error) =>
          toast({ title: '連結沒有變更', description: failureSentence(error), variant: 'destructive' }),
      },
    )
  return (
    <ListRow wraps>
      <TwoLines className="sp">
        <b>{link.requires_review ? '申請後由管理者審核' : '有連結就能直接加入'}</b>
        <small className="num">
          {link.max_uses === null
            ? `用了 ${link.used_count} 次，不限次數`
            : `用了 ${link.used_count} / ${link.max_uses} 次`}
          {link.valid_until && ` · 連結到 ${mdHm(link.valid_until)}`}
          {link.expires_on && ` · 成員到 ${ymd(link.expires_on)}`}
        </small>
      </TwoLines>
      <Tag tone={state.tone} icon={state.icon}>
        {state.text}
      </Tag>
      <RowKeys>
        {link.state === 'open' && (
          <CopyButton size="s" kind="soft" text={link.url}>
            複製連結
          </CopyButton>
        )}
        <IconButton icon="more" label={`${name}：更多`} opensId={menu} />
        <Menu
          id={menu}
          label={`${name}：更多`}
          items={[
            { label: '網址與 QR 碼', icon: 'link', onPick: onQr },
            { label: '修改', icon: 'edit', onPick: onEdit },
            { label: '換新網址', icon: 'refresh', onPick: onRotate },
            link.enabled
              ? { label: '停用', icon: 'pause', apart: true, onPick: () => turn(false) }
              : { label: '啟用', icon: 'play', apart: true, onPick: () => turn(true) },
          ]}
        />
      </RowKeys>
    </ListRow>
  )
}
