/* The head of the list: title and search; on phones the search opens under it, beside the connection. */
import { useState } from 'react'
import { Connection } from '#screen/Connection.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { SearchField } from '#ui/SearchField.tsx'

/** `searchable` false while there is nothing to search. */
export type ListHeadProps = { search: string; onSearch: (search: string) => void; searchable: boolean }

export function ListHead({ search, onSearch, searchable }: ListHeadProps) {
  const [opened, setOpened] = useState(search !== '')
  const field = { label: '搜尋策略', placeholder: '名稱、商品、代號', value: search, onChange: onSearch }
  const toggle = () => {
    if (opened) onSearch('')
    setOpened(!opened)
  }
  return (
    <>
      <PageHead title="策略列表">
        <div className="mob row gap4">
          <Connection short />
          {searchable && (
            <IconButton icon="search" label="搜尋" size={22} large pressed={opened} onClick={toggle} />
          )}
        </div>
        {searchable && (
          <div className="desk">
            <SearchField {...field} shortcut="/" />
          </div>
        )}
      </PageHead>
      {opened && (
        <div className="mob st-find">
          <SearchField {...field} />
        </div>
      )}
    </>
  )
}
