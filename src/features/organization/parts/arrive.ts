// What follows once somebody came into an organization, whatever the way: they stand on its feed, as a member of it, and are told so.
import { useGo } from '#screen/go.ts'
import { toast } from '#screen/toast.ts'
import { useEnter } from './enter.ts'

/**
 * `arrive(organization, name, otherwise)`: `organization` as the call answered it, null when it said none; `name` as the words
 * call it; `otherwise` runs where the person's own profile does not know of it yet, so that they stay who they are.
 */
export function useArrive() {
  const enter = useEnter()
  const go = useGo()
  return async (organization: { id: string } | null, name: string, otherwise: () => void): Promise<void> => {
    const known = await enter.refresh().catch((error: unknown) => console.warn('profile', error))
    const inside = organization && known?.organizations.some(({ id }) => id === organization.id)
    if (inside) go.open(`/dashboard?org=${organization.id}`, true)
    else otherwise()
    toast({
      title: `已加入「${name}」`,
      description: inside
        ? '你現在以這個組織的身份操作，看得到分享給你的策略與訊號。'
        : '切換身份，就看得到分享給你的策略與訊號。',
      icon: 'check',
      duration: 10_000,
    })
  }
}
