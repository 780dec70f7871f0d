/* One field of the mapping: its path or fixed value, what this message has there, and the words that speak for it. */

import { useId } from 'react'
import type { Proposal } from '#contract/mapping.ts'
import type { MappingField } from '#trading/reader/shape.ts'
import { Hint } from '#ui/Hint.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { InputBox } from '#ui/InputBox.tsx'
import { cx } from '#ui/open.ts'
import css from './FieldRow.module.css'
import type { Learned, MappingRow } from './form.ts'
import { FIELD_WORDS } from './words.ts'

/** `list` id of the datalist with the message's paths. */
export type FieldRowProps = {
  field: MappingField
  row: MappingRow
  onChange: (row: MappingRow) => void
  learned: Learned
  list: string
  error: string | undefined
}

export function FieldRow({ field, row, onChange, learned, list, error }: FieldRowProps) {
  const id = useId()
  const path = row.text.trim()
  const proposal = learned.proposals.find((one) => one.field === field)
  const at = path === '' ? (proposal?.automatic ? proposal.path : undefined) : path
  const leaf = row.fixed ? undefined : learned.leaves.find((one) => one.path === at)
  const missing = !row.fixed && path !== '' && !leaf
  const why = leaf && proposal?.path === leaf.path ? reasonOf(proposal) : ''
  return (
    <div className={css.root}>
      <label htmlFor={id}>{FIELD_WORDS[field]}</label>
      <InputBox mono error={Boolean(error)}>
        <input
          id={id}
          value={row.text}
          list={row.fixed ? undefined : list}
          maxLength={row.fixed ? 200 : 100}
          placeholder={row.fixed ? '固定的值' : proposal?.automatic ? `自動（${proposal.path}）` : '自動'}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-found`}
          onChange={(event) => onChange({ ...row, text: event.target.value })}
        />
      </InputBox>
      <IconButton
        icon="lock"
        size={16}
        label={`${FIELD_WORDS[field]}用固定的值`}
        pressed={row.fixed}
        quiet={!row.fixed}
        className={row.fixed ? css.fixed : undefined}
        onClick={() => onChange({ ...row, fixed: !row.fixed })}
      />
      <p id={`${id}-found`} className={css.found}>
        {missing && (
          <span className={cx(css.missing, 'danger-ink')}>
            <Icon name="warning" size={14} />
            這則訊息沒有這個欄位
          </span>
        )}
        {leaf && (
          <>
            <b className="mono">{leaf.value === '' ? '（空的）' : leaf.value}</b>
            {why && <span className="ink3">{why}</span>}
          </>
        )}
      </p>
      {error && (
        <Hint error className={css.error}>
          {error}
        </Hint>
      )}
    </div>
  )
}

/** 名稱有「lots」、值「2口」 */
function reasonOf({ name, value }: Proposal): string {
  const said = [name && `名稱「${name}」`, value && `值「${value.slice(0, 20)}」`].filter(Boolean)
  return said.length > 0 ? `依${said.join('、')}` : ''
}
