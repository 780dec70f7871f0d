/* The head of the list: title and search; on phones the search opens under it, beside the connection. */
import { useState } from 'react'
import { Connection } from '#screen/Connection.tsx'
import { useManual } from '#screen/manual.ts'
import { useMay } from '#screen/profile.ts'
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { cx } from '#ui/open.ts'
import { PageHead } from '#ui/PageHead.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import css from './ListHead.module.css'

/** `searchable` false while there is nothing to search. */
export type ListHeadProps = { search: string; onSearch: (search: string) => void; searchable: boolean }

export function ListHead({ search, onSearch, searchable }: ListHeadProps) {
  const manual = useManual()
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
        <div className="mob row gap4">
          <Connection short />
          {sends && <IconButton icon="send" label="手動訊號" size={22} large {...manual.to()} />}
          {searchable && (
            <IconButton icon="search" label="搜尋" size={22} large pressed={opened} onClick={toggle} />
          )}
        </div>
        {sends && (
          <span className="desk">
            <Button icon="send" {...manual.to()}>
              手動訊號
            </Button>
          </span>
        )}
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
