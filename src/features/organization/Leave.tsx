/* The question of forms about organizations: what was typed has not been sent. */

import { useQuery } from '@tanstack/react-query'
import { membershipMutations, organizationQueries } from '#data/nouns/organization.ts'
import { Ask } from '#screen/Ask.tsx'
import { LeaveForm } from '#screen/LeaveForm.tsx'
import { leaving } from '#screen/leaving.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Modal.tsx'
import { useEnter } from './enter.ts'

/** `armed` while there is something to lose; `tabs` asks also when only ?tab= changes. */
export function LeaveUnsent({ armed, tabs = false }: { armed: () => boolean; tabs?: boolean }) {
  return (
    <LeaveForm armed={armed} tabs={tabs} title="放棄還沒送出的內容？" verb="放棄內容">
      這一頁填的內容還沒送到伺服器，離開後就沒有了。
    </LeaveForm>
  )
}

/* 離開組織: what ends; and before anybody presses, why the admin on whom it rests cannot. */

/** `name` as the screen shows it. */
export type LeaveOrganizationProps = { id: string; name: string; onClose: () => void }

export function LeaveOrganization({ id, name, onClose }: LeaveOrganizationProps) {
  const mine = useQuery(organizationQueries.mine()).data?.find((one) => one.id === id)
  if (mine?.sole_admin) return <Sole id={id} name={name} onClose={onClose} />
  const over = mine?.status === 'expired'
  return (
    <Ask
      title={over ? `從清單移除「${name}」` : `離開「${name}」`}
      verb={over ? '從清單移除' : '離開組織'}
      icon="logout"
      mutation={{ ...membershipMutations.leave(), ...leaving }}
      input={{ id }}
      done={{ title: over ? `已移除「${name}」` : `已離開「${name}」` }}
      safe="你仍是成員，"
      sole_admin="你是唯一沒有到期日的管理者：先把另一位成員設為管理者，或在設定裡解散組織。"
      onClose={onClose}
    >
      <p>
        {over
          ? '它的策略與訊號已經看不到了。移除後管理者不能再直接續期，要再加入，須重新邀請。'
          : '組織的策略、訊號與通知立刻看不到，這支裝置上的副本也會刪除。要再加入，須由管理者重新邀請。'}
      </p>
    </Ask>
  )
}

function Sole({ id, name, onClose }: LeaveOrganizationProps) {
  const enter = useEnter()
  const to = (tab: string) => {
    onClose()
    enter.open(id, `/organizations/manage?tab=${tab}`)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`現在還不能離開「${name}」`}
      icon="info"
      actions={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button onClick={() => to('settings')}>前往解散</Button>
          <Button kind="filled" firstFocus onClick={() => to('members')}>
            選下一位管理者
          </Button>
        </>
      }
    >
      <p>
        你是唯一沒有到期日的管理者，組織不能沒有人管。先把另一位成員設為管理者（沒有到期日），就能離開；不再需要這個組織的話，在設定裡解散。
      </p>
    </Dialog>
  )
}
