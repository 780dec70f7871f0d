/* One group: its members and its strategies, each with their days. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { groupQueries } from '#data/nouns/group.ts'
import { ReadFailure } from '#screen/Elsewhere.tsx'
import { failureSentence } from '#screen/failure.ts'
import { Button } from '#ui/Button.tsx'
import { Sides } from '#ui/Card.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx, opens } from '#ui/open.ts'
import { Rows } from '../parts/Rows.tsx'
import { CopyGroup } from './CopyGroup.tsx'
import { DeleteGroup } from './DeleteGroup.tsx'
import css from './GroupDetail.module.css'
import { GroupDialog } from './GroupDialog.tsx'
import { GroupMembers } from './GroupMembers.tsx'
import { GroupStrategies } from './GroupStrategies.tsx'
import { useOrganization, usePlace } from './use-place.ts'

export function GroupDetail({ id }: { id: string }) {
  const { ctx } = useOrganization()
  const { go, search } = usePlace()
  const [asking, setAsking] = useState<'edit' | 'copy' | 'delete' | null>(null)
  const { data: group, error, isFetching, refetch } = useQuery(groupQueries.one(ctx, id))
  // back to the table for whoever came from there, and to what was looked for in it
  const list = () => go({ tab: 'groups', ...(search.view && { ...search, id: '' }) })
  const back = (
    <a className={cx(css.back, 't13 ink3')} href="/organizations/manage?tab=groups" onClick={opens(list)}>
      <Icon name="chevron-left" size={16} />
      策略群組
    </a>
  )
  if (!group)
    return (
      <>
        {back}
        {error ? (
          <ReadFailure
            card
            error={error}
            what="這個群組"
            back={{ href: '/organizations/manage?tab=groups', label: '策略群組' }}
            busy={isFetching}
            onRetry={() => void refetch()}
          >
            {failureSentence(error)}
          </ReadFailure>
        ) : (
          <Rows />
        )}
      </>
    )
  return (
    <>
      {back}
      <div className={css.head}>
        <div className="sp">
          <h2 className={css.title}>{group.name}</h2>
          {group.description && <p className="ink2">{group.description}</p>}
        </div>
        <Button size="s" icon="edit" onClick={() => setAsking('edit')}>
          更改
        </Button>
        <Button size="s" icon="duplicate" onClick={() => setAsking('copy')}>
          複製
        </Button>
        <Button size="s" kind="danger" icon="trash" onClick={() => setAsking('delete')}>
          刪除
        </Button>
      </div>
      <Sides>
        <GroupMembers group={group} />
        <GroupStrategies group={group} />
      </Sides>
      {asking === 'edit' && <GroupDialog group={group} onClose={() => setAsking(null)} />}
      {asking === 'copy' && <CopyGroup group={group} onClose={() => setAsking(null)} />}
      {asking === 'delete' && <DeleteGroup group={group} onClose={() => setAsking(null)} onGone={list} />}
    </>
  )
}
