/* 組織策略: every strategy of the organization with the groups it is in. */
import { useQuery } from '@tanstack/react-query'
import { organizationQueries } from '#data/nouns/organization.ts'
import { useGo } from '#screen/go.ts'
import { CreateStrategy } from '#screen/ListKeys.tsx'
import { STATUS_TEXT } from '#text/strategy.ts'
import { KINDS } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { opens } from '#ui/open.ts'
import { Tag } from '#ui/Tag.tsx'
import { SearchField } from '#ui/TextField.tsx'
import { ListRow } from '../parts/ListRow.tsx'
import { TwoLines } from '../parts/TwoLines.tsx'
import { Bar } from './Bar.tsx'
import css from './StrategiesTab.module.css'
import { NothingFound, TabList } from './TabList.tsx'
import { PAGE, useOrganization, usePlace, useWord } from './use-place.ts'

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
                  <span className={css.groups}>
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
