/* 組織策略: every strategy of the organization with the groups it is in. */

import { useMutation, useQuery } from '@tanstack/react-query'
import type { Organization } from '#contract/organization.ts'
import { organizationMutations, organizationQueries } from '#data/nouns/organization.ts'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { CreateStrategy } from '#screen/ListActions.tsx'
import { toast } from '#screen/toast.ts'
import { STATUS_TEXT } from '#text/strategy.ts'
import { KINDS } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { opens } from '#ui/open.ts'
import { Switch } from '#ui/Switch.tsx'
import { Tag } from '#ui/Tag.tsx'
import { SearchField } from '#ui/TextField.tsx'
import css from './OrganizationManagePage.module.css'
import { Bar, ListRow, TwoLines } from './Parts.tsx'
import { NothingFound, PAGE, TabList, useOrganization, usePlace, useWord } from './TabList.tsx'

export function StrategiesTab() {
  const { id, ctx } = useOrganization()
  const { open } = useGo()
  const { page, go } = usePlace()
  const { box, word } = useWord()
  const list = useQuery(
    organizationQueries.strategies(ctx, id, { page, page_size: PAGE, ...(word && { search: word }) }),
  )
  const none = !word && list.data?.total === 0
  return (
    <>
      {!none && <Bar search={<SearchField label="搜尋策略" placeholder="策略名稱" {...box} />} />}
      <TabList
        query={list}
        title="讀不到組織的策略"
        counter="個"
        empty={
          none ? (
            <EmptyState
              card
              title="組織還沒有策略"
              action={
                <CreateStrategy>
                  {(link) => (
                    <Button kind="filled" icon="plus" {...link}>
                      建立策略
                    </Button>
                  )}
                </CreateStrategy>
              }
            >
              以組織的身份建立的策略屬於組織，放進群組後成員就看得到。
            </EmptyState>
          ) : (
            <NothingFound noun="策略" />
          )
        }
      >
        {(items) => (
          <ul className="card flush">
            {items.map((one) => {
              const href = `/strategies/${one.id}`
              return (
                <ListRow key={one.id} wraps>
                  <TwoLines className="sp" link={{ href, onOpen: () => open(href) }}>
                    <b className="el">{one.name}</b>
                    <small>
                      {KINDS[one.kind].name} ·{' '}
                      {STATUS_TEXT[one.status as keyof typeof STATUS_TEXT] ?? one.status}
                    </small>
                  </TwoLines>
                  <span className={css.StrategiesTabGroups}>
                    {one.groups.length === 0 ? (
                      <Tag tone="warn" icon="eye-off">
                        沒有群組，成員看不到
                      </Tag>
                    ) : (
                      one.groups.map((group) => (
                        <a
                          key={group.id}
                          href={`/organizations/manage?tab=groups&id=${group.id}`}
                          onClick={opens(() => go({ tab: 'groups', id: group.id }))}
                        >
                          <Tag>
                            <span className="el">{group.name}</span>
                          </Tag>
                        </a>
                      ))
                    )}
                  </span>
                  <IconButton
                    icon="eye"
                    label={`誰看得到：${one.name}`}
                    onClick={() => go({ tab: 'access', strategy: one.id })}
                  />
                </ListRow>
              )
            })}
          </ul>
        )}
      </TabList>
    </>
  )
}

/* share_statistics: whether members see figures over the whole record or from their own first day (ruling A11). */

export function ShareSwitch({ organization }: { organization: Organization }) {
  const { ctx } = useOrganization()
  const update = useMutation(organizationMutations.update(ctx))
  const on = update.isPending ? update.variables.share_statistics === true : organization.share_statistics
  return (
    <Switch
      label="分享完整績效"
      note={
        on
          ? '成員看得到策略從頭到現在的損益、曲線與月表；交易明細仍只從各自的起日開始。'
          : '成員的損益與曲線只從各自看得到的第一天算起。'
      }
      checked={on}
      disabled={update.isPending}
      onChange={(share_statistics) =>
        update.mutate(
          { id: organization.id, share_statistics },
          {
            onSuccess: () =>
              toast({
                title: share_statistics ? '已分享完整績效' : '績效改從各自看得到的第一天算起',
                icon: 'check',
              }),
            onError: (error) =>
              toast({
                title: '設定沒有變更',
                description: failureSentence(error),
                variant: 'destructive',
              }),
          },
        )
      }
    />
  )
}
