// Coming in by a link or a join code, or asking to; what is said afterwards.
import { useMutation } from '@tanstack/react-query'
import type { EntranceKind } from '#contract/join.ts'
import { joinMutations } from '#data/nouns/invitation.ts'
import { refusal } from '#screen/failure.ts'
import { clearToasts, toast } from '#screen/toast.ts'
import { useForm } from '#ui/use-form.ts'
import { useArrive } from '../parts/arrive.ts'

/** `name` of the organization for the words; `onDone` closes what stands in the address. */
export function useJoin(of: { kind: EntranceKind; name: string; code: string; onDone: () => void }) {
  const { kind, name, code, onDone } = of
  const arrive = useArrive()
  const ways = {
    link: useMutation(joinMutations.acceptLink()),
    join_code: useMutation(joinMutations.byCode()),
  } satisfies Record<EntranceKind, unknown>
  return useForm({
    initial: { message: '' },
    check: () => ({}),
    send: async ({ message }) => {
      const input = { code, message }
      const { outcome, organization } = await ways[kind].mutateAsync(input)
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
      await arrive(organization, name, onDone)
    },
    refused: (error) => refusal(error, '還沒有送出，', ['message']),
  })
}
