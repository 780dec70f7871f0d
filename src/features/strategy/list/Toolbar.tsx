/* The line over the list: kind, filters, order, view. On phones the filters wait in a sheet. */

import { useState } from 'react'
import { ListActions } from '#screen/ListActions.tsx'
import { useMay } from '#screen/profile.ts'
import { DIRECTION_TEXT, STATUS_TEXT } from '#text/strategy.ts'
import { ASSET_FACTS } from '#trading/kinds.ts'
import { ASSETS, type Asset } from '#trading/record.ts'
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { cx } from '#ui/open.ts'
import { PageHead } from '#ui/PageHead.tsx'
import { SearchChip } from '#ui/SearchSelect.tsx'
import { ChipSelect, Segments } from '#ui/Segments.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { SearchField } from '#ui/TextField.tsx'
import css from '../StrategyListPage.module.css'
import { type Filters, SORTS, type Sort } from './arrange.ts'

/** `counts` per kind, null while unknown. `view` only matters on wide screens. */
export type ToolbarProps = {
  filters: Filters
  change: (changes: Partial<Filters>) => void
  counts: Record<Asset, number> | null
  tags: readonly string[]
  view: 'card' | 'table'
  onView: (view: 'card' | 'table') => void
}

const words = <T extends string>(table: Record<T, string>) =>
  (Object.keys(table) as T[]).map((value) => ({ value, label: table[value] }))
const ALL = { value: '', label: '全部' } as const
const STATES = [ALL, ...words(STATUS_TEXT)]
const SIDES = [ALL, ...words(DIRECTION_TEXT)]

export function Toolbar({ filters, change, counts, tags, view, onView }: ToolbarProps) {
  const [sheet, setSheet] = useState(false)
  const marks = [ALL, ...tags.map((tag) => ({ value: tag, label: tag }))]
  const set = [filters.status, filters.tag, filters.direction].filter(Boolean).length
  const count = (kind: Asset) => (counts ? { count: counts[kind] } : {})
  return (
    <div className={css.Toolbar}>
      <Segments
        label="策略類型"
        tall
        value={filters.kind}
        onChange={(kind) => change({ kind })}
        options={ASSETS.map((value) => ({ value, label: ASSET_FACTS[value].name, ...count(value) }))}
      />
      <div className="desk row gap8">
        <ChipSelect
          label="狀態"
          prefix
          value={filters.status}
          onChange={(status) => change({ status })}
          options={STATES}
        />
        {(tags.length > 0 || filters.tag) && (
          <SearchChip label="標籤" value={filters.tag} onChange={(tag) => change({ tag })} options={marks} />
        )}
        <ChipSelect
          label="方向"
          value={filters.direction}
          onChange={(direction) => change({ direction })}
          options={SIDES}
        />
      </div>
      <span className="sp" />
      <OrderChip value={filters.sort} onChange={(sort) => change({ sort })} />
      <div className="desk">
        <Segments
          label="檢視"
          tall
          value={view}
          onChange={onView}
          options={[
            { value: 'card', label: '卡片', icon: 'cards' },
            { value: 'table', label: '表格', icon: 'rows' },
          ]}
        />
      </div>
      <div className="mob">
        <IconButton
          icon="filter"
          label={set > 0 ? `篩選，已設 ${set} 項` : '篩選'}
          pressed={set > 0}
          large
          onClick={() => setSheet(true)}
          chip
        />
      </div>
      <Sheet open={sheet} onClose={() => setSheet(false)} title="篩選">
        <div className={cx(css.ToolbarSheet, 'stack')}>
          <SelectField
            label="狀態"
            value={filters.status}
            onChange={(status) => change({ status })}
            options={STATES}
          />
          {tags.length > 0 && (
            <SelectField
              label="標籤"
              value={filters.tag}
              onChange={(tag) => change({ tag })}
              options={marks}
            />
          )}
          <SelectField
            label="方向"
            value={filters.direction}
            onChange={(direction) => change({ direction })}
            options={SIDES}
          />
          <div className={cx(css.ToolbarActions, 'row gap8')}>
            <Button kind="soft" onClick={() => change({ status: '', tag: '', direction: '' })}>
              清除條件
            </Button>
            <Button kind="filled" onClick={() => setSheet(false)}>
              看結果
            </Button>
          </div>
        </div>
      </Sheet>
    </div>
  )
}

/* The head of the list: title and search; on phones the search opens under it, beside the connection. */

/** `searchable` false while there is nothing to search. */
export type ListHeadProps = { search: string; onSearch: (search: string) => void; searchable: boolean }

export function ListHead({ search, onSearch, searchable }: ListHeadProps) {
  const sends = useMay('strategy:edit') && searchable
  const [opened, setOpened] = useState(search !== '')
  const field = { label: '搜尋策略', placeholder: '名稱、商品、代號', value: search, onChange: onSearch }
  const toggle = () => {
    if (opened) onSearch('')
    setOpened(!opened)
  }
  return (
    <>
      <PageHead title="策略列表">
        <ListActions sends={sends}>
          {searchable && (
            <IconButton icon="search" label="搜尋" size={22} large pressed={opened} onClick={toggle} />
          )}
        </ListActions>
        {searchable && (
          <div className="desk">
            <SearchField {...field} className={css.ListHeadSearch} shortcut="/" />
          </div>
        )}
      </PageHead>
      {opened && (
        <div className={cx(css.ListHeadFind, 'mob')}>
          <SearchField {...field} />
        </div>
      )}
    </>
  )
}

/* The order of the list: a chip that always says the chosen one, never dark, because an order hides nothing. */

const WORDS: Record<Sort, { short: string; long: string }> = {
  last_signal: { short: '最近訊號', long: '最近訊號優先' },
  net_profit: { short: '淨損益', long: '淨損益高的優先' },
  win_rate: { short: '勝率', long: '勝率高的優先' },
  max_drawdown: { short: '最大回撤', long: '最大回撤小的優先' },
  name: { short: '名稱', long: '依名稱' },
  created: { short: '建立時間', long: '最近建立優先' },
}

export function OrderChip({ value, onChange }: { value: Sort; onChange: (value: Sort) => void }) {
  return (
    <ChipSelect
      label="排序"
      value={value}
      onChange={onChange}
      options={SORTS.map((sort) => ({ value: sort, label: WORDS[sort].long }))}
      says={
        <>
          <span className="mob">{WORDS[value].short}</span>
          <span className="desk">{WORDS[value].long}</span>
        </>
      }
    />
  )
}
