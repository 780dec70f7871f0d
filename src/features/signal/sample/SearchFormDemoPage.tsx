// /search-form-demo: the filter form of the signal lists on signals of nobody, without login. It filters by the same code.
import { useState } from 'react'
import { useGo } from '#screen/go.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { rowOf } from '#text/row.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { SignalList, SignalRow } from '#ui/nouns/SignalRow.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { FilterBar } from '../FilterBar.tsx'
import { matcher, NO_FILTERS, type SearchPatch, type SignalSearch, tidy } from '../search.ts'
import { SAMPLE_NAMES, SAMPLE_RECORDS } from './records.ts'

export function SearchFormDemoPage() {
  const { go } = useGo()
  const { on: masked } = usePrivacy()
  const [search, setSearch] = useState<SignalSearch>({})
  const change = (patch: SearchPatch) => setSearch(tidy({ ...search, ...patch }))
  const match = matcher(search, SAMPLE_NAMES)
  const found = match ? SAMPLE_RECORDS.filter(match) : SAMPLE_RECORDS
  return (
    <div className="page">
      <PageHead overFilters title="篩選表單" meta="和「全部訊號」是同一個篩選列，資料是範例，條件不會記住。">
        <Button size="s" {...go('/demo-strategylist')}>
          策略列表示範
        </Button>
      </PageHead>
      <FilterBar search={search} onChange={change} strategies={SAMPLE_NAMES} />
      {found.length === 0 ? (
        <EmptyState
          card
          title="沒有符合條件的訊號"
          action={<Button onClick={() => change(NO_FILTERS)}>清除條件</Button>}
        >
          換個條件試試。
        </EmptyState>
      ) : (
        <Card title="範例訊號" count={found.length} flush>
          <SignalList label="符合條件的訊號">
            {found.map((record) => (
              <SignalRow
                key={record.id}
                {...rowOf(record, SAMPLE_NAMES.get(record.strategy_id) ?? null)}
                masked={masked}
              />
            ))}
          </SignalList>
        </Card>
      )}
    </div>
  )
}
