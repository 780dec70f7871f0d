/* For whom an announcement is, when it appears and ends, whether it stays on top and is told. */
import { Hint } from '#ui/Field.tsx'
import { SegmentsField } from '#ui/Segments.tsx'
import { Switch } from '#ui/Switch.tsx'
import { TextField } from '#ui/TextField.tsx'
import { GroupChecks } from '../GroupChecks.tsx'
import type { AnnouncementChoices, PublishWhen } from './draft.ts'

/** `published`: it is out already. */
export type PublishingProps = {
  choices: AnnouncementChoices
  change: (changes: Partial<AnnouncementChoices>) => void
  published: boolean
  errors: Record<string, string>
}

const NEW: readonly { value: PublishWhen; label: string }[] = [
  { value: 'now', label: '現在' },
  { value: 'later', label: '排程' },
  { value: 'draft', label: '草稿' },
]
const OUT: readonly { value: PublishWhen; label: string }[] = [
  { value: 'as_is', label: '維持發布' },
  { value: 'draft', label: '收回成草稿' },
]

export function Publishing({ choices, change, published, errors }: PublishingProps) {
  const { when, for_groups, group_ids } = choices
  const group_error = errors['group_ids'] ?? errors['group_ids.0']
  return (
    <>
      <SegmentsField
        label="給誰看"
        value={for_groups ? 'groups' : 'all'}
        onChange={(value) => change({ for_groups: value === 'groups' })}
        options={[
          { value: 'all', label: '所有成員' },
          { value: 'groups', label: '選定的群組' },
        ]}
        error={group_error}
      />
      {for_groups && (
        <GroupChecks
          what="announcement"
          chosen={group_ids}
          onChange={(chosen) => change({ group_ids: chosen })}
        />
      )}
      <SegmentsField
        label="發布"
        value={when}
        onChange={(value) => change({ when: value })}
        options={published ? OUT : NEW}
      />
      {when === 'later' && (
        <TextField
          label="發布時間（台北）"
          type="datetime-local"
          value={choices.publish_at}
          onChange={(publish_at) => change({ publish_at })}
          error={errors['publish_at'] ?? null}
        />
      )}
      <TextField
        label="過期時間（台北，選填）"
        type="datetime-local"
        value={choices.expire_at}
        onChange={(expire_at) => change({ expire_at })}
        hint="到時候成員就看不到"
        error={errors['expire_at'] ?? null}
      />
      <div>
        <Switch
          label="置頂"
          note="排在清單最上面，最多 3 則"
          checked={choices.pinned}
          onChange={(pinned) => change({ pinned })}
        />
        {errors['pinned'] && (
          <Hint error role="alert">
            {errors['pinned']}
          </Hint>
        )}
        <Switch
          label="發送通知"
          note={published ? '發布時決定；改內容不會再通知一次' : '發布時通知看得到的人，每個人一次'}
          checked={choices.notify}
          disabled={published}
          onChange={(notify) => change({ notify })}
        />
      </div>
    </>
  )
}
