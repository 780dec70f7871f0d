/* 邀請連結: the addresses that let people in, or let them ask; made, changed, stopped. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import type { InputOf } from '#contract/endpoint.ts'
import type { InviteLink } from '#contract/join.ts'
import type { Organization, updateOrganization } from '#contract/organization.ts'
import {
  joinMutations,
  joinQueries,
  organizationMutations,
  organizationQueries,
} from '#data/nouns/organization.ts'
import { Ask } from '#screen/Ask.tsx'
import { failureSentence, refusal } from '#screen/failure.ts'
import { useLeaveSheet } from '#screen/LeaveForm.tsx'
import { useProfile } from '#screen/profile.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { mdHm, ymd } from '#text/format.ts'
import { taipei } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { isDay } from '#ui/day.ts'
import { Banner } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { Dialog, Sheet } from '#ui/Modal.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { QrCode } from '#ui/QrCode.tsx'
import { DateField } from '#ui/SearchSelect.tsx'
import { Switch } from '#ui/Switch.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useForm } from '#ui/use-form.ts'
import { GroupChecks, newPeriodErrors, PeriodFields } from './MemberFields.tsx'
import css from './OrganizationManagePage.module.css'
import { Fields, ListRow, ListState, RowActions, TwoLines } from './Parts.tsx'
import { useOrganization } from './TabList.tsx'
import { LINK_WORDS, today } from './words.ts'

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

/* 加入碼: eight letters to read out or write on a board; on or off, reviewed or not, for how long, another one. */

export function JoinCodeCard({ organization }: { organization: Organization }) {
  const { id, ctx } = useOrganization()
  const update = useMutation(organizationMutations.update(ctx))
  const [rotating, setRotating] = useState(false)
  const { join_code, join_code_enabled = false, requires_review = true } = organization
  const change = (changes: Omit<InputOf<typeof updateOrganization>, 'id'>, title: string) =>
    update.mutate(
      { id, ...changes },
      {
        onSuccess: () => toast({ title, icon: 'check' }),
        onError: (error) =>
          toast({ title: '設定沒有變更', description: failureSentence(error), variant: 'destructive' }),
      },
    )
  return (
    <Card title="加入碼" pad>
      <Fields>
        <Switch
          label="用加入碼加入"
          note={
            join_code_enabled
              ? '知道這個碼的人，可以在「我的組織」輸入它。'
              : '打開後有一個 8 碼的加入碼，念給學員或寫在白板上都行。'
          }
          checked={join_code_enabled}
          disabled={update.isPending}
          onChange={(on) => change({ join_code_enabled: on }, on ? '加入碼已開啟' : '加入碼已停用')}
        />
        {join_code_enabled && join_code && (
          <>
            <div className={css.JoinCodeCardCode}>
              <b className="num">{join_code}</b>
              <CopyButton size="s" kind="soft" text={join_code}>
                複製
              </CopyButton>
              <Button size="s" icon="refresh" onClick={() => setRotating(true)}>
                重新產生
              </Button>
            </div>
            <Switch
              label="加入碼需要審核"
              note={
                requires_review
                  ? '輸入加入碼的人送出申請，你通過後才是成員。'
                  : '知道加入碼的人登入就是成員；以前是成員的人仍要審核。'
              }
              checked={requires_review}
              disabled={update.isPending}
              onChange={(on) =>
                change({ requires_review: on }, on ? '改成需要審核' : '改成直接加入，不需審核')
              }
            />
          </>
        )}
        <DefaultDays key={organization.updated_at} organization={organization} />
      </Fields>
      {rotating && (
        <Ask
          title="重新產生加入碼？"
          verb="重新產生"
          icon="refresh"
          mutation={joinMutations.rotateCode(ctx)}
          input={{ id }}
          done={({ join_code: code }) => ({ title: '加入碼已換新', description: code })}
          safe="舊的加入碼還能用，"
          onClose={() => setRotating(false)}
        >
          <p>
            舊的加入碼 <b className="num">{join_code}</b> 立刻失效。已經加入的人與待審核的申請不受影響。
          </p>
        </Ask>
      )}
    </Card>
  )
}

/* One link: how it lets in, how often it was used, where it stands; copied with one press. */

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
      <RowActions>
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
      </RowActions>
    </ListRow>
  )
}

/* A link made or changed: reviewed or not, how often, until when, into which groups. */

type Values = { max_uses: string; valid_until: string; ends_on: string }

function check({ max_uses, valid_until, ends_on }: Values): Record<string, string> {
  const uses = Number(max_uses)
  const errors = newPeriodErrors({ starts_on: today(), ends_on })
  if (max_uses !== '' && !(Number.isInteger(uses) && uses >= 1 && uses <= 1000))
    errors['max_uses'] = '請輸入 1 到 1,000 的整數，或留空'
  if (valid_until !== '' && !isDay(valid_until)) errors['valid_until'] = '沒有這一天，請寫成 2026/12/31'
  else if (valid_until !== '' && valid_until < today())
    errors['valid_until'] = '這一天已經過去，請選今天或之後'
  return errors
}

/** The end of a day in Taipei. */
const endOf = (day: string) => new Date(`${day}T23:59:59.999+08:00`).toISOString()

/** Without `link` a new one; `onMade` gets it in place of `onClose`. */
export function LinkSheet(props: {
  link?: InviteLink
  onClose: () => void
  onMade?: (link: InviteLink) => void
}) {
  const { link, onClose, onMade } = props
  const { id, ctx } = useOrganization()
  const sheet = useId()
  const { data: organization } = useQuery(organizationQueries.one(ctx, id))
  const usual = organization?.default_member_days
  const [group_ids, setGroups] = useState<readonly string[]>(link?.group_ids ?? [])
  const [requires_review, setReview] = useState(link?.requires_review ?? true)
  const [touched, setTouched] = useState(false)
  const create = useMutation(joinMutations.createLink(ctx))
  const update = useMutation(joinMutations.updateLink(ctx))
  const initial = {
    max_uses: link?.max_uses ? String(link.max_uses) : '',
    valid_until: link?.valid_until ? taipei(link.valid_until).day : '',
    ends_on: link?.expires_on ?? '',
  }
  const { values, errors, failure, busy, field, change, form } = useForm<keyof Values>({
    initial,
    check,
    send: async ({ max_uses, valid_until, ends_on }) => {
      const terms = {
        group_ids: [...group_ids],
        requires_review,
        max_uses: max_uses === '' ? null : Number(max_uses),
        valid_until: valid_until === '' ? null : endOf(valid_until),
        expires_on: ends_on || null,
      }
      if (link) {
        await update.mutateAsync({ id, link_id: link.id, ...terms })
        toast({ title: '連結已更新', icon: 'check' })
        onClose()
      } else onMade?.(await create.mutateAsync({ id, ...terms }))
    },
    refused: (error) => refusal(error, '沒有任何變更，', ['max_uses', 'valid_until', 'expires_on']),
  })
  const typed = (['max_uses', 'valid_until', 'ends_on'] as const).some(
    (name) => values[name] !== initial[name],
  )
  const holds = typed || touched
  const { leave, question } = useLeaveSheet(holds, onClose)
  return (
    <Sheet
      open
      onClose={leave}
      sticky={holds}
      title={link ? '修改邀請連結' : '建立邀請連結'}
      foot={
        <>
          <Button onClick={leave}>取消</Button>
          <Button kind="filled" type="submit" form={sheet} busy={busy}>
            {link ? '儲存' : '建立連結'}
          </Button>
        </>
      }
    >
      <form id={sheet} {...form}>
        <Fields>
          <Switch
            label="需要審核"
            note={
              requires_review
                ? '打開連結的人送出申請，你通過後才是成員。'
                : '有連結的人登入就是成員；以前是成員的人仍要審核。'
            }
            checked={requires_review}
            onChange={(on) => {
              setTouched(true)
              setReview(on)
            }}
          />
          <NumberField
            label="可以用幾次"
            integer
            unit="次"
            hint="留空就不限次數；待審核的申請也算一次"
            {...field('max_uses')}
          />
          <DateField
            label="連結的期限"
            span={[today(), values.valid_until]}
            name="valid_until"
            value={values.valid_until}
            error={errors['valid_until']}
            hint={values.valid_until === '' ? '留空就一直能用，直到你停用' : '當天結束前都能用'}
            onChange={(valid_until) => change({ valid_until })}
          />
          <GroupChecks
            what="joining"
            chosen={group_ids}
            onChange={(ids) => {
              setTouched(true)
              setGroups(ids)
            }}
          />
          <Fields legend="成員資格到什麼時候" close>
            <PeriodFields
              only_end
              errors={errors}
              usual={usual ?? null}
              days={{ starts_on: '', ends_on: values.ends_on }}
              onChange={(changes) => change({ ends_on: changes.ends_on ?? '' })}
            />
          </Fields>
          <Refused text={failure} />
        </Fields>
      </form>
      {question}
    </Sheet>
  )
}

/* A link to be given away: its address, and the same as a QR code that can be kept as a picture. */

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
      <div ref={box} className={css.LinkQrCode}>
        <QrCode text={link.url} label="用手機掃描，開啟邀請" />
      </div>
      <p className={css.LinkQrUrl}>{link.url}</p>
      <p className="t13 ink3">
        {link.requires_review
          ? '打開的人登入後送出申請，你在「加入申請」審核。'
          : '打開的人登入後就能加入；請只給你要邀請的人。'}
      </p>
    </Dialog>
  )
}

/* A link under a new address: whoever has the old one comes in no more. */

export function RotateLink({ link, onClose }: { link: InviteLink; onClose: () => void }) {
  const { id, ctx } = useOrganization()
  return (
    <Ask
      title="換新網址？"
      verb="換新網址"
      icon="refresh"
      mutation={joinMutations.updateLink(ctx)}
      input={{ id, link_id: link.id, rotate: true }}
      done={{ title: '連結已換新網址', description: '請把新的網址給要邀請的人。' }}
      safe="舊的網址還能用，"
      onClose={onClose}
    >
      <p>舊的網址與 QR 碼立刻失效，之前貼出去的都不能再用。已經加入的人與待審核的申請不受影響。</p>
    </Ask>
  )
}

/* 預設成員天數: how long a membership lasts when no last day was said. */

export function DefaultDays({ organization }: { organization: Organization }) {
  const { id, ctx } = useOrganization()
  const update = useMutation(organizationMutations.update(ctx))
  const stored = organization.default_member_days ? String(organization.default_member_days) : ''
  const { values, failure, busy, field, form } = useForm({
    initial: { default_member_days: stored },
    check: ({ default_member_days: typed }): Record<string, string> => {
      const days = Number(typed)
      return typed === '' || (Number.isInteger(days) && days >= 1 && days <= 3650)
        ? {}
        : { default_member_days: '請輸入 1 到 3,650 的整數，或留空' }
    },
    send: async ({ default_member_days: typed }, reset) => {
      await update.mutateAsync({ id, default_member_days: typed === '' ? null : Number(typed) })
      reset()
      toast({ title: '預設成員天數已更新', icon: 'check' })
    },
    refused: (error) => refusal(error, '沒有任何變更，', ['default_member_days']),
  })
  return (
    <form {...form}>
      <Fields close>
        <NumberField
          label="預設成員天數"
          integer
          unit="天"
          hint="用加入碼或沒有寫到期日的連結加入時，從加入那天起算；留空就沒有期限"
          {...field('default_member_days')}
        />
        <Refused text={failure} />
        {values.default_member_days !== stored && (
          <div>
            <Button size="s" kind="filled" type="submit" busy={busy}>
              儲存天數
            </Button>
          </div>
        )}
      </Fields>
    </form>
  )
}

// A QR code as a PNG with the organization's name under it, for posters and chats.

const SIDE = 800
const FOOT = 96

/** Draws the code and hands it to the browser as a file; fails where the browser cannot draw it. */
export async function savePicture(svg: SVGSVGElement, name: string): Promise<void> {
  const copy = svg.cloneNode(true) as SVGSVGElement
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(SIDE))
  copy.setAttribute('height', String(SIDE))
  const picture = new Image()
  picture.src = `data:image/svg+xml,${encodeURIComponent(copy.outerHTML)}`
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE + FOOT
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  pen.fillStyle = 'white'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(picture, 0, 0, SIDE, SIDE)
  pen.fillStyle = 'black'
  pen.font = '600 40px system-ui, sans-serif'
  pen.textAlign = 'center'
  pen.fillText(name, SIDE / 2, SIDE + 40, SIDE - 80)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  if (!blob) throw new Error('no picture')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = `${name || '邀請'}.png`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
