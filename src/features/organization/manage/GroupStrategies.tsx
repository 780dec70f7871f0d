/* The strategies of a group with their days. The call replaces the whole list, so every change sends all of it. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { GroupStrategy, StrategyGroup } from '#contract/group.ts'
import { groupMutations, groupQueries } from '#data/group.ts'
import { useGo } from '#features/shell/go.ts'
import { toast } from '#features/shell/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { opens } from '#ui/open.ts'
import { Ask } from '../parts/Ask.tsx'
import { failureText } from '../parts/failure.ts'
import { ListState } from '../parts/ListState.tsx'
import { periodText } from '../parts/words.ts'
import { AddStrategies } from './AddStrategies.tsx'
import { SpanRow } from './SpanRow.tsx'
import { SpanSheet } from './SpanSheet.tsx'
import { useOrganization } from './use-place.ts'

export function GroupStrategies({ group }: { group: StrategyGroup }) {
  const { ctx } = useOrganization()
  const { open } = useGo()
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<GroupStrategy | null>(null)
  const [removing, setRemoving] = useState<GroupStrategy | null>(null)
  const list = useQuery(groupQueries.strategies(ctx, group.id))
  const put = useMutation(groupMutations.setStrategies(ctx))
  const rows = list.data ?? []
  /** The list as it stands, each row as `over` wants it; null leaves it out. */
  const replaced = (over: (row: GroupStrategy) => Partial<GroupStrategy> | null) =>
    rows.flatMap((row) => {
      const changed = over(row)
      if (changed === null) return []
      const { strategy_id, starts_on, ends_on } = { ...row, ...changed }
      return [{ strategy_id, starts_on, ends_on }]
    })
  return (
    <Card
      title="策略"
      count={group.strategy_count}
      action={
        <Button size="s" kind="tint" icon="plus" disabled={!list.data} onClick={() => setAdding(true)}>
          加入策略
        </Button>
      }
    >
      <ListState query={list} title="讀不到群組的策略" card={false}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title="還沒有策略">加入策略後，群組的成員才看得到它的訊號。</EmptyState>
          ) : (
            <ul>
              {items.map((row) => (
                <SpanRow
                  key={row.strategy_id}
                  id={row.strategy_id}
                  name={row.name}
                  state={row.state}
                  period={row}
                  onEdit={() => setEditing(row)}
                  onRemove={() => setRemoving(row)}
                >
                  <a
                    className="og-two"
                    href={`/strategies/${row.strategy_id}`}
                    onClick={opens(() => open(`/strategies/${row.strategy_id}`))}
                  >
                    <b className="el">{row.name}</b>
                    <small className="num">{periodText(row)}</small>
                  </a>
                </SpanRow>
              ))}
            </ul>
          )
        }
      </ListState>
      {adding && <AddStrategies group={group} rows={rows} onClose={() => setAdding(false)} />}
      {editing && (
        <SpanSheet
          title="群組裡的期間"
          subtitle={editing.name}
          period={editing}
          busy={put.isPending}
          onSave={(span, refuse) =>
            put.mutate(
              {
                id: group.id,
                strategies: replaced((row) => (row.strategy_id === editing.strategy_id ? span : {})),
              },
              {
                onSuccess: () => {
                  toast({ title: '期間已更新', icon: 'check' })
                  setEditing(null)
                },
                onError: refuse,
              },
            )
          }
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <Ask
          title={`移出「${removing.name}」`}
          verb="移出群組"
          icon="minus"
          busy={put.isPending}
          failure={put.error && failureText(put.error, '沒有任何變更，')}
          onClose={() => {
            put.reset()
            setRemoving(null)
          }}
          onYes={() =>
            put.mutate(
              {
                id: group.id,
                strategies: replaced((row) => (row.strategy_id === removing.strategy_id ? null : {})),
              },
              {
                onSuccess: () => {
                  toast({ title: `已移出「${removing.name}」`, icon: 'check' })
                  setRemoving(null)
                },
              },
            )
          }
        >
          <p>群組的成員立刻看不到這個策略與它的訊號。策略本身不會刪除。</p>
        </Ask>
      )}
    </Card>
  )
}
