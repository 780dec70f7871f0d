/* One announcement as its admins see it: state, time, for whom, how many have read it. */
import type { AnnouncementState, ManagedAnnouncement } from '#contract/announcement.ts'
import { number } from '#text/format.ts'
import { when } from '#text/time.ts'
import type { IconName } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { Tag, type TagTone } from '#ui/Tag.tsx'
import { ListRow } from '../../parts/ListRow.tsx'
import { RowKeys } from '../../parts/RowKeys.tsx'
import { TwoLines } from '../../parts/TwoLines.tsx'

export const STATE_WORDS: Record<AnnouncementState, { text: string; tone: TagTone; icon: IconName }> = {
  draft: { text: '草稿', tone: 'line', icon: 'edit' },
  scheduled: { text: '排程', tone: 'info', icon: 'clock' },
  published: { text: '已發布', tone: 'good', icon: 'check' },
  expired: { text: '已過期', tone: 'neutral', icon: 'clock' },
}

export type ManagedRowProps = {
  item: ManagedAnnouncement
  now: string
  onEdit: () => void
  onRemove: () => void
}

export function ManagedRow({ item, now, onEdit, onRemove }: ManagedRowProps) {
  const { id, title, state, pinned, tags, group_ids, publish_at, reads_count, audience_count } = item
  const menu = `og-announcement-${id}`
  const word = STATE_WORDS[state]
  const out = state === 'published' || state === 'expired'
  const about = [
    pinned && '置頂',
    group_ids.length > 0 ? `${number(group_ids.length)} 個群組` : '所有成員',
    publish_at && (out ? when(publish_at, now) : `將於 ${when(publish_at, now)} 發布`),
    out && `${number(reads_count)} / ${number(audience_count)} 人已讀`,
    ...tags,
  ].filter(Boolean)
  return (
    <ListRow wraps>
      <TwoLines className="sp">
        <b className="el" title={title}>
          {title}
        </b>
        <small className="num">{about.join(' · ')}</small>
      </TwoLines>
      <Tag tone={word.tone} icon={word.icon}>
        {word.text}
      </Tag>
      <RowKeys>
        <IconButton icon="edit" label={`編輯「${title}」`} onClick={onEdit} />
        <IconButton icon="more" label={`${title}：更多`} opensId={menu} />
      </RowKeys>
      <Menu
        id={menu}
        label={`${title}：更多`}
        items={[{ label: '刪除公告', icon: 'trash', danger: true, onPick: onRemove }]}
      />
    </ListRow>
  )
}
