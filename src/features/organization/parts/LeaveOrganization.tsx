/* 離開組織: what ends, and why the last admin cannot. */
import { membershipMutations } from '#data/nouns/membership.ts'
import { leaving } from '#screen/leaving.ts'
import { Ask } from './Ask.tsx'

/** `name` as the screen shows it. */
export type LeaveOrganizationProps = { id: string; name: string; onClose: () => void }

export function LeaveOrganization({ id, name, onClose }: LeaveOrganizationProps) {
  return (
    <Ask
      title={`離開「${name}」`}
      verb="離開組織"
      icon="logout"
      mutation={{ ...membershipMutations.leave(), ...leaving }}
      input={{ id }}
      done={{ title: `已離開「${name}」` }}
      safe="你仍是成員，"
      sole_admin="你是唯一沒有到期日的管理者：先把另一位成員設為管理者，或在設定裡解散組織。"
      onClose={onClose}
    >
      <p>組織的策略、訊號與通知立刻看不到，這支裝置上的副本也會刪除。要再加入，須由管理者重新邀請。</p>
    </Ask>
  )
}
