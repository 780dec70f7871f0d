/* A sheet to choose several from a list that is searched and put them into a group, with the days they get in it. */

import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useId, useState } from 'react'
import type { Span } from '#contract/access.ts'
import type { StrategyGroup } from '#contract/group.ts'
import { refusal } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { SearchField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { newPeriodErrors, PeriodFields, spanOf } from './MemberFields.tsx'
import css from './OrganizationManagePage.module.css'
import { Fields, ListState, type ListStateProps, TwoLines } from './Parts.tsx'
import { today } from './words.ts'

/** What is typed into the search of a sheet, and the word to ask for, which follows a little later. */
export function usePickWord() {
  const [typed, setTyped] = useState('')
  const word = useDeferredValue(typed.trim())
  return { typed, setTyped, word, filters: { page_size: 100, ...(word && { search: word }) } }
}

/** What the search found: `items` its first page. */
type Found = { items: readonly unknown[]; total: number }

/** One row to choose. */
export interface Pickable {
  id: string
  name: string
  note: string
}

/**
 * `noun` what is chosen and `counter` its measure word; `all` what is said when all are in the group, `none` when there is nothing
 * yet, with the word and the address of the way to it; `children` below the days.
 */
export type PickSheetProps<Data extends Found, Output, Input> = {
  group: StrategyGroup
  noun: string
  counter: string
  placeholder: string
  search: ReturnType<typeof usePickWord>
  query: ListStateProps<Data>['query']
  failed: string
  rowsOf: (data: Data) => readonly Pickable[]
  all: string
  none: { title: string; text: string; action: string; to: string }
  mutation: UseMutationOptions<Output, Error, Input>
  input: (ids: readonly string[], span: Span) => Input
  onClose: () => void
  children?: ReactNode
}

export function PickSheet<Data extends Found, Output, Input>(props: PickSheetProps<Data, Output, Input>) {
  const { noun, counter, search, onClose } = props
  const id = useId()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { mutateAsync } = useMutation(props.mutation)
  const { values, errors, failure, busy, change, form } = useForm({
    initial: { starts_on: today(), ends_on: '' },
    check: newPeriodErrors,
    send: async (days) => {
      await mutateAsync(props.input(chosen, spanOf(days)))
      toast({ title: `已加入 ${chosen.length} ${counter}${noun}`, icon: 'check' })
      onClose()
    },
    refused: (error) => refusal(error, '沒有任何變更，', ['starts_on', 'ends_on']),
  })
  const found = props.query.data
  // where nothing is left to choose, nothing is asked of it
  const nothing =
    search.word === '' &&
    found !== undefined &&
    found.total <= found.items.length &&
    props.rowsOf(found).length === 0
  return (
    <Sheet
      open
      onClose={onClose}
      sticky={chosen.length > 0}
      title={`加入${noun}`}
      subtitle={props.group.name}
      foot={
        <>
          <Button onClick={onClose}>{nothing ? '關閉' : '取消'}</Button>
          {!nothing && (
            <Button kind="filled" type="submit" form={id} busy={busy} disabled={chosen.length === 0}>
              {chosen.length > 0 ? `加入 ${chosen.length} ${counter}` : `加入${noun}`}
            </Button>
          )}
        </>
      }
    >
      <Fields>
        {!nothing && (
          <SearchField
            label={`搜尋${noun}`}
            placeholder={props.placeholder}
            value={search.typed}
            onChange={search.setTyped}
          />
        )}
        <div className={css.PickSheetPick}>
          <ListState query={props.query} title={props.failed} card={false}>
            {(data) => {
              const rows = props.rowsOf(data)
              if (rows.length > 0)
                return (
                  <ul>
                    {rows.map((row) => (
                      <PickRow key={row.id} {...row} chosen={chosen} onChange={setChosen} />
                    ))}
                  </ul>
                )
              return <Nothing {...props} word={search.word} found={data} />
            }}
          </ListState>
        </div>
        <form id={id} {...form} hidden={nothing}>
          <Fields close>
            <PeriodFields days={values} onChange={change} errors={errors} />
            {props.children}
            <Refused text={failure} />
          </Fields>
        </form>
      </Fields>
    </Sheet>
  )
}

type NothingProps = Pick<PickSheetProps<Found, unknown, unknown>, 'noun' | 'counter' | 'all' | 'none'>

/** Why there is no row to choose, and the way on. */
function Nothing({ noun, counter, all, none, word, found }: NothingProps & { word: string; found: Found }) {
  const { go } = useGo()
  const { items, total } = found
  if (total > items.length)
    return (
      <EmptyState title={`前 ${items.length} ${counter}都在這個群組裡了`}>用搜尋找其他{noun}。</EmptyState>
    )
  if (word)
    return (
      <EmptyState title={total > 0 ? `符合的${noun}都在這個群組裡了` : `沒有符合的${noun}`}>
        換個字再找一次。
      </EmptyState>
    )
  if (total > 0) return <EmptyState title={`沒有可以加入的${noun}`}>{all}</EmptyState>
  return (
    <EmptyState
      title={none.title}
      action={
        <Button size="s" kind="tint" icon="plus" {...go(none.to)}>
          {none.action}
        </Button>
      }
    >
      {none.text}
    </EmptyState>
  )
}

type PickRowProps = Pickable & { chosen: readonly string[]; onChange: (chosen: readonly string[]) => void }

function PickRow({ id, name, note, chosen, onChange }: PickRowProps) {
  return (
    <li className={css.PickSheetPickRow}>
      <Checkbox
        checked={chosen.includes(id)}
        onChange={(on) => onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
        label={
          <TwoLines>
            <span className="el">{name}</span>
            <small className="el">{note}</small>
          </TwoLines>
        }
      />
    </li>
  )
}
