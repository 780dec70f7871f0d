/* The organization behind a link or a join code: come in, or ask to; or why not now. */
import { useQuery } from '@tanstack/react-query'
import type { EntranceKind, InvitePreview } from '#contract/join.ts'
import { joinQueries } from '#data/nouns/invitation.ts'
import { organizationQueries } from '#data/nouns/organization.ts'
import { useGo } from '#screen/go.ts'
import { useProfile } from '#screen/profile.ts'
import { Refused } from '#screen/Refused.tsx'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { TextField } from '#ui/TextField.tsx'
import { CardKeys } from '../parts/CardKeys.tsx'
import { useEnter } from '../parts/enter.ts'
import { Introduction } from '../parts/Introduction.tsx'
import { OrganizationCard } from '../parts/OrganizationCard.tsx'
import { OrganizationHead } from '../parts/OrganizationHead.tsx'
import { usePeople } from '../parts/people.ts'
import { useJoin } from './use-join.ts'

const OVER: Record<Exclude<InvitePreview['state'], 'open'>, string> = {
  expired: '這個邀請連結已過期，請組織的管理者給你新的。',
  used_up: '這個邀請連結的名額已用完，請洽組織的管理者。',
  disabled: '這個邀請已停用，請向組織的管理者確認。',
  answered: '這個邀請已經用過了。',
}

const OPENED: Record<EntranceKind, string> = { link: '你打開了它的邀請連結', join_code: '你輸入了它的加入碼' }

type StandingProps = {
  preview: InvitePreview
  kind: EntranceKind
  name: string
  code: string
  onClose: () => void
}

export function JoinBehind(props: Omit<StandingProps, 'name'>) {
  const { preview, kind, code, onClose } = props
  const { cover } = usePeople()
  const { organization } = preview
  const name = cover(organization.name)
  return (
    <OrganizationCard invites label={`${name}的邀請`}>
      <OrganizationHead name={name} logo={organization.logo}>
        <p className="t13 ink2">{OPENED[kind]}</p>
      </OrganizationHead>
      {organization.introduction && <Introduction text={organization.introduction} />}
      <Standing preview={preview} kind={kind} name={name} code={code} onClose={onClose} />
    </OrganizationCard>
  )
}

/** What holds for this person, before anything is pressed. */
function Standing({ preview, kind, name, code, onClose }: StandingProps) {
  const { go } = useGo()
  const { profile } = useProfile()
  const enter = useEnter()
  const mine = useQuery(organizationQueries.mine())
  const requests = useQuery(joinQueries.mine())
  const member = mine.data?.find(({ id }) => id === preview.organization.id)
  const waits = requests.data?.some(
    (one) => one.organization.id === preview.organization.id && one.status === 'pending',
  )
  if (member && member.status !== 'expired')
    return (
      <>
        <Banner tone="good" icon="check">
          你已經是這個組織的成員。
        </Banner>
        <CardKeys>
          {member.status !== 'upcoming' && (
            <Button kind="filled" onClick={() => enter.open(member.id, '/organizations/info', true)}>
              看組織
            </Button>
          )}
          <Button onClick={onClose}>關閉</Button>
        </CardKeys>
      </>
    )
  if (waits)
    return (
      <Banner tone="info" icon="clock" onClose={onClose}>
        你的申請已送出，等組織的管理者審核；在下面的「我的申請」可以取消。
      </Banner>
    )
  if (preview.state !== 'open')
    return (
      <Banner tone="warn" icon="info" onClose={onClose}>
        {OVER[preview.state]}
      </Banner>
    )
  if (profile && !profile.email_verified) {
    const back = encodeURIComponent(`/my-organizations?invite=${code}`)
    return (
      <>
        <Banner tone="warn" icon="mail">
          先驗證你的電子郵件，才能加入：組織的管理者靠它認得你。驗證後會回到這個邀請。
        </Banner>
        <CardKeys>
          <Button kind="filled" icon="mail" {...go(`/profile?returnTo=${back}`)}>
            去驗證
          </Button>
          <Button onClick={onClose}>關閉</Button>
        </CardKeys>
      </>
    )
  }
  const review = preview.requires_review || member !== undefined
  return <Asking kind={kind} review={review} name={name} code={code} onClose={onClose} />
}

function Asking(props: {
  kind: EntranceKind
  review: boolean
  name: string
  code: string
  onClose: () => void
}) {
  const { kind, review, name, code, onClose } = props
  const { values, failure, busy, field, form } = useJoin({ kind, name, code, onDone: onClose })
  return (
    <form {...form} className="stack">
      <p className="t13 ink3">
        {review
          ? '送出後由組織的管理者審核，他們看得到你的姓名、電子郵件與這段話。通過時會通知你。'
          : '加入後，管理者看得到你的姓名與電子郵件；你看得到分享給你的策略與訊號。隨時可以離開。'}
      </p>
      {review && (
        <TextField
          label="給管理者的話（可以不寫）"
          rows={2}
          maxLength={200}
          counter
          placeholder="例如：7 月班學員 陳以安"
          {...field('message')}
          value={values.message}
        />
      )}
      <Refused text={failure} />
      <CardKeys>
        <Button kind="filled" icon={review ? 'send' : 'check'} type="submit" busy={busy}>
          {review ? '送出申請' : `加入「${name}」`}
        </Button>
        <Button onClick={onClose} disabled={busy}>
          先不要
        </Button>
      </CardKeys>
    </form>
  )
}
