/* The invitation that a notification speaks of, when it can be answered no more: said, instead of a page without it. */
import { useGo } from '#screen/go.ts'
import { Banner } from '#ui/Banner.tsx'

export function InviteOver() {
  const { open } = useGo()
  return (
    <Banner tone="warn" icon="info" onClose={() => open('/my-organizations', true)}>
      這份邀請已經撤回、過期或回覆過了。沒有加入成的話，請組織的管理者再邀請一次。
    </Banner>
  )
}
