/* What became of each address after inviting. */
import type { OutputOf } from '#contract/endpoint.ts'
import type { createInvites } from '#contract/join.ts'
import { INVITE_LIFE_S } from '#contract/limits.ts'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import type { IconName } from '#ui/Icon.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { Tag, type TagTone } from '#ui/Tag.tsx'
import { usePeople } from '../parts/people.ts'
import css from './InviteResults.module.css'
import { HAND_OVER } from './use-in-folder.ts'

type Results = OutputOf<typeof createInvites>
const WORDS: Record<Results[number]['result'], { text: string; tone: TagTone; icon: IconName }> = {
  sent: { text: '已寄出', tone: 'good', icon: 'check' },
  already_member: { text: '已是成員', tone: 'neutral', icon: 'info' },
  already_invited: { text: '已邀請過', tone: 'neutral', icon: 'clock' },
  invalid: { text: '格式不正確', tone: 'danger', icon: 'warning' },
}

const LIFE = `連結 ${INVITE_LIFE_S / 86_400} 天內有效`

/** `in_folder`: this server sends no mail, so the admin copies each link and passes it on. */
export function InviteResults({
  results,
  in_folder,
  onClose,
  onAgain,
}: {
  results: Results
  in_folder: boolean
  onClose: () => void
  onAgain: () => void
}) {
  const { cover } = usePeople()
  const sent = results.filter(({ result }) => result === 'sent').length
  return (
    <Sheet
      open
      onClose={onClose}
      title={
        sent > 0
          ? `${in_folder ? '已建立' : '已寄出'} ${sent} 份邀請`
          : in_folder
            ? '沒有新的邀請'
            : '沒有寄出邀請'
      }
      subtitle={
        sent > 0
          ? in_folder
            ? `${HAND_OVER}${LIFE}。`
            : `${LIFE}；沒收到的話，一分鐘後可以再寄一次。`
          : in_folder
            ? '這些地址都不需要，或格式不正確。'
            : '這些地址都不需要，或不能寄。'
      }
      foot={
        <>
          <Button onClick={onAgain}>再邀請其他人</Button>
          <Button kind="filled" onClick={onClose} firstFocus>
            完成
          </Button>
        </>
      }
    >
      <ul>
        {results.map(({ email, result, invite }) => (
          <li key={email} className={css.result}>
            <span className="sp el">{cover(email)}</span>
            {(result !== 'sent' || !invite?.url) && (
              <Tag tone={WORDS[result].tone} icon={WORDS[result].icon}>
                {WORDS[result].text}
              </Tag>
            )}
            {invite?.url && (
              <CopyButton size="s" kind="tint" text={invite.url} label={`複製給 ${cover(email)} 的連結`}>
                複製連結
              </CopyButton>
            )}
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
