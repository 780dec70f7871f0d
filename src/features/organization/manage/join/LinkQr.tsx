/* A link to be given away: its address, and the same as a QR code that can be kept as a picture. */
import { useRef } from 'react'
import type { InviteLink } from '#contract/join.ts'
import { useProfile } from '#screen/profile.ts'
import { toast } from '#screen/toast.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { QrCode } from '#ui/QrCode.tsx'
import { useOrganization } from '../use-place.ts'
import css from './LinkQr.module.css'
import { savePicture } from './save-picture.ts'

export function LinkQr({ link, onClose }: { link: InviteLink; onClose: () => void }) {
  const { id } = useOrganization()
  const { profile } = useProfile()
  const box = useRef<HTMLDivElement>(null)
  const name = profile?.organizations.find((one) => one.id === id)?.name ?? ''
  const save = () => {
    const svg = box.current?.querySelector('svg')
    if (svg)
      savePicture(svg, name).catch(() =>
        toast({ title: '存不了圖片', description: '請改用螢幕截圖。', variant: 'destructive' }),
      )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="邀請連結"
      aside={
        <Button icon="download" onClick={save}>
          存成圖片
        </Button>
      }
      actions={
        <>
          <Button onClick={onClose}>關閉</Button>
          <CopyButton kind="filled" text={link.url}>
            複製連結
          </CopyButton>
        </>
      }
    >
      {link.state !== 'open' && (
        <Banner tone="warn" icon="info">
          這個連結現在不能用，修改或啟用後才會生效。
        </Banner>
      )}
      <div ref={box} className={css.code}>
        <QrCode text={link.url} label="用手機掃描，開啟邀請" />
      </div>
      <p className={css.url}>{link.url}</p>
      <p className="t13 ink3">
        {link.requires_review
          ? '打開的人登入後送出申請，你在「加入申請」審核。'
          : '打開的人登入後就能加入；請只給你要邀請的人。'}
      </p>
    </Dialog>
  )
}
