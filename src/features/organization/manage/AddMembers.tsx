/* Choosing members for a group, with the days they get in it. */
import { useQuery } from '@tanstack/react-query'
import type { StrategyGroup } from '#contract/group.ts'
import { groupMutations } from '#data/nouns/group.ts'
import { membershipQueries } from '#data/nouns/organization.ts'
import { usePeople } from '../parts/people.ts'
import { PickSheet, usePickWord } from './PickSheet.tsx'
import { useOrganization } from './use-place.ts'

export function AddMembers({ group, onClose }: { group: StrategyGroup; onClose: () => void }) {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const search = usePickWord()
  const list = useQuery(membershipQueries.list(ctx, id, { ...search.filters, role: 'member' }))
  return (
    <PickSheet
      group={group}
      noun="成員"
      counter="位"
      placeholder="姓名、電子郵件"
      search={search}
      query={list}
      failed="讀不到成員"
      rowsOf={({ items }) =>
        items
          .filter(({ groups }) => !groups.some((one) => one.id === group.id))
          .map(({ user_id, name, email }) => ({ id: user_id, name: cover(name), note: cover(email) }))
      }
      all="成員都在這個群組裡了。管理者看得到全部策略，不用加入群組。"
      none={{
        title: '還沒有管理者以外的成員',
        text: '邀請時就能選這個群組。管理者看得到全部策略，不用加入群組。',
        ...{ key: '邀請成員', to: '/organizations/manage?tab=invites' },
      }}
      mutation={groupMutations.addMembers(ctx)}
      input={(ids, span) => ({ id: group.id, user_ids: [...ids], ...span })}
      onClose={onClose}
    />
  )
}
