/* One request: who asks, with which words, since when; or what became of it. */
import type { JoinRequest } from '#contract/join.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Tag } from '#ui/Tag.tsx'
import { ListRow } from '../../parts/ListRow.tsx'
import { Person } from '../../parts/Person.tsx'
import { usePeople } from '../../parts/people.ts'
import { RowKeys } from '../../parts/RowKeys.tsx'
import { REQUEST_WORDS } from '../../parts/words.ts'
import css from './RequestRow.module.css'

/** `chosen` null: there is nothing to choose among. */
type RequestRowProps = {
  request: JoinRequest
  chosen: boolean | null
  onChoose: (on: boolean) => void
  onApprove: () => void
  onReject: () => void
}

const BY: Record<JoinRequest['source'], string> = { link: '用邀請連結', join_code: '用加入碼' }

export function RequestRow({ request, chosen, onChoose, onApprove, onReject }: RequestRowProps) {
  const { cover } = usePeople()
  const { user, message, status, reason, decided_by, decided_at } = request
  const waiting = status === 'pending'
  const state = REQUEST_WORDS[status]
  const name = cover(user.name)
  return (
    <ListRow wraps>
      <div className={css.who}>
        {waiting && chosen !== null && (
          <Checkbox label={`選 ${name} 的申請`} hideLabel checked={chosen} onChange={onChoose} />
        )}
        <div className="sp">
          <Person name={user.name} avatar={user.avatar} note={cover(user.email)} dim={!waiting} />
          {message && <p className={css.words}>{message}</p>}
          <p className="t13 ink3 num">
            {BY[request.source]}申請於 {when(request.created_at, serverNow())}
            {decided_by &&
              decided_at &&
              ` · ${cover(decided_by.name)} 審核於 ${when(decided_at, serverNow())}`}
            {reason && ` · 原因：${reason}`}
          </p>
        </div>
      </div>
      <Tag tone={state.tone} icon={state.icon}>
        {state.text}
      </Tag>
      {waiting && (
        <RowKeys>
          <Button size="s" kind="soft" label={`拒絕 ${name} 的申請`} onClick={onReject}>
            拒絕
          </Button>
          <Button size="s" kind="tint" label={`通過 ${name} 的申請`} onClick={onApprove}>
            通過
          </Button>
        </RowKeys>
      )}
    </ListRow>
  )
}
