/* 離開組織: what ends, and why the last admin cannot. */
import { useMutation } from '@tanstack/react-query'
import { membershipMutations } from '#data/membership.ts'
import { toast } from '#features/shell/toast.ts'
import { Ask } from './Ask.tsx'
import { codeOf, failureText } from './failure.ts'

/** `name` as the screen shows it. */
export type LeaveOrganizationProps = { id: string; name: string; onClose: () => void }

export function LeaveOrganization({ id, name, onClose }: LeaveOrganizationProps) {
  const leave = useMutation({ ...membershipMutations.leave() })
  const failure =
    codeOf(leave.error) === 4093
      ? '你是唯一沒有到期日的管理者：先把另一位成員設為管理者，或在設定裡解散組織。'
      : leave.error && failureText(leave.error, '你仍是成員，')
  return (
    <Ask
      title={`離開「${name}」`}
      verb="離開組織"
      icon="logout"
      busy={leave.isPending}
      failure={failure}
      onClose={onClose}
      onYes={() =>
        leave.mutate(
          { id },
          {
            onSuccess: () => {
              toast({ title: `已離開「${name}」`, icon: 'check' })
              onClose()
            },
          },
        )
      }
    >
      <p>組織的策略、訊號與通知立刻看不到，這支裝置上的副本也會刪除。要再加入，須由管理者重新邀請。</p>
    </Ask>
  )
}
