// Coming in by a link or a join code, or asking to; what is said afterwards.
import { useMutation } from '@tanstack/react-query'
import type { InvitePreview } from '#contract/invitation.ts'
import { joinMutations } from '#data/nouns/join.ts'
import { refusal } from '#screen/failure.ts'
import { clearToasts, toast } from '#screen/toast.ts'
import { useForm } from '#ui/use-form.ts'
import { useEnter } from '../parts/enter.ts'

/** `name` of the organization for the words; `onDone` closes what stands in the address. */
export function useJoin(of: { kind: InvitePreview['kind']; name: string; code: string; onDone: () => void }) {
  const { kind, name, code, onDone } = of
  const enter = useEnter()
  const link = useMutation(joinMutations.acceptLink())
  const typed = useMutation(joinMutations.byCode())
  return useForm({
    initial: { message: '' },
    check: () => ({}),
    send: async ({ message }) => {
      const input = { code, message }
      const way = kind === 'link' ? link : typed
      const { outcome, organization } = await way.mutateAsync(input)
      clearToasts()
      if (outcome === 'join_request') {
        onDone()
        toast({
          title: `已送出加入「${name}」的申請`,
          description: '管理者審核後會通知你，也可以在「我的申請」看。',
          icon: 'check',
        })
        return
      }
      const known = await enter.refresh().catch((error: unknown) => console.warn('profile', error))
      const inside = organization && known?.organizations.some(({ id }) => id === organization.id)
      if (inside) enter.open(organization.id, '/organizations/info', true)
      else onDone()
      toast({
        title: `已加入「${name}」`,
        description: inside
          ? '你現在以這個組織的身份操作，看得到分享給你的策略與訊號。'
          : '切換身份，就看得到分享給你的策略與訊號。',
        icon: 'check',
        duration: 10_000,
      })
    },
    refused: (error) => refusal(error, '還沒有送出，', ['message']),
  })
}
