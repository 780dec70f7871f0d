/* The head of the list: title and search; on phones the search opens under it, beside the connection. */
import { useState } from 'react'
import { ListKeys } from '#screen/ListKeys.tsx'
import { useMay } from '#screen/profile.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { cx } from '#ui/open.ts'
import { PageHead } from '#ui/PageHead.tsx'
import { SearchField } from '#ui/TextField.tsx'
import css from './ListHead.module.css'

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
        <ListKeys sends={sends}>
          {searchable && (
            <IconButton icon="search" label="搜尋" size={22} large pressed={opened} onClick={toggle} />
          )}
        </ListKeys>
        {searchable && (
          <div className="desk">
            <SearchField {...field} className={css.search} shortcut="/" />
          </div>
        )}
      </PageHead>
      {opened && (
        <div className={cx(css.find, 'mob')}>
          <SearchField {...field} />
        </div>
      )}
    </>
  )
}
